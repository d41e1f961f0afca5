"""The bot that plays by the network of card costs."""

from __future__ import annotations

from bridge_arena.bots.fastplay.net import PlayNet, shipped
from bridge_arena.bots.fastplay.rollouts import evaluate
from bridge_arena.bots.fastplay.seen import position_of
from bridge_arena.bots.library.bidding_systems import BiddingBot, SystemName
from bridge_arena.bots.library.equals import lowest_of_equals
from bridge_arena.bots.library.learning.files import SHIPPED, told_to_read
from bridge_arena.bots.library.sampling.beliefs import Beliefs, beliefs
from bridge_arena.bots.library.sampling.sampler import Sampler
from bridge_arena.bots.montecarlo.objective import best_cards, mean_merits, merits_of
from bridge_arena.bridge.cards import CARDS, Card, Hand
from bridge_arena.protocol.view import View


class FastPlayBot(BiddingBot):
    """A player of the card that a network says costs the fewest tricks, without search.

    Of equal cards it plays the lowest. The network has learned from boards solved double dummy at
    every card. It sees the cards that its seat sees and what the auction told.

    Args:
        worlds: How many layouts of the hidden cards to play out, 0 for none; in each, the net plays
            the board out for all four players after each card that may be played, and the card that
            is best on average in IMPs is played.
        bidding: The bidding system.
        weights: A file that `arena train fastplay` has made, or `shipped`.
    """

    name = "fastplay"

    def __init__(
        self, worlds: int = 0, bidding: SystemName = "natural", weights: str = SHIPPED
    ) -> None:
        super().__init__(bidding)
        if worlds < 0:
            raise ValueError(f"there are no {worlds} worlds")
        self._worlds = worlds
        self._net = shipped() if weights == SHIPPED else told_to_read(weights, PlayNet.read)
        # The view of the board, and what its auction told about the hands.
        self._told: tuple[View, Beliefs] | None = None

    def play(self, view: View) -> Card:
        """Choose the card that costs the fewest tricks, or is best when played out."""
        play, legal = view.playing, view.legal_cards()
        completed = Hand.of(card for trick in play.tricks for card in trick.cards)
        cards = lowest_of_equals(legal.mask, ~(legal.mask | completed.mask))
        if len(cards) == 1:
            return CARDS[cards[0]]
        told = self._beliefs(view)
        position = position_of(view, told)
        if self._worlds:
            worlds = Sampler(view, told).draw(self._worlds, self.rng)
            evaluation = evaluate(self._net, view, position, cards, worlds)
            side = play.turn.side
            merits = merits_of(evaluation, "imps", play.contract, side, view.vulnerability)
            layouts = sum(evaluation.counts)
            weighed = mean_merits(merits, layouts)
            self.think("imps on average, played out", candidates=weighed, layouts=layouts)
            return min(best_cards(merits))
        costs = self._net.costs(position)[0]
        in_order = sorted(cards, key=lambda card: (costs[card], card))
        weighed = {CARDS[card]: -float(costs[card]) for card in in_order}
        self.think("tricks that each card is expected to cost, below 0", candidates=weighed)
        return CARDS[in_order[0]]

    def _beliefs(self, view: View) -> Beliefs:
        """Return what the auction tells of each hand; it stays the same during the play."""
        if self._told is None or self._told[0] is not view:
            self._told = view, beliefs(view, self.system)
        return self._told[1]
