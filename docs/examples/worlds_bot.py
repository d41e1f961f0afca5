"""Bids Standard American; plays the card that is best over ten layouts, solved double dummy."""

from collections import Counter

from bridge_arena import Bot, run
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.library.sampling.sampler import Sampler
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values


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
