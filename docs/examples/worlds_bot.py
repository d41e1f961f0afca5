"""Bids Standard American; plays the card that is best over ten layouts, solved double dummy."""

from collections import Counter

from bots.bidding import system
from bots.client import Bot, run
from bots.sampling.beliefs import beliefs
from bots.sampling.sampler import Sampler
from oracle.position import Position
from oracle.solver import card_values


class WorldsBot(Bot):
    def __init__(self):
        super().__init__()
        self.system = system("natural")

    def call(self, view):
        return self.system.choose(view.hand, view.auction, view.vulnerability)

    def play(self, view):
        sampler = Sampler(view, beliefs(view, self.system))
        tricks = Counter()
        for hands in sampler.draw(10, self.rng):
            tricks.update(card_values(Position.of(view.play, hands)))
        return max(view.legal_cards(), key=lambda card: (tricks[card], -card.rank))


run(WorldsBot)
