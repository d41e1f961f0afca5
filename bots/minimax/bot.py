"""Liao's minimax player (Give Me a Hand, section 5)."""

from __future__ import annotations

from typing import Literal

from bridge_arena.bots.baseline.play import card_on_layout
from bridge_arena.bots.library.bidding_systems import BiddingBot, SystemName
from bridge_arena.bots.minimax.bid_frequencies import BidTable
from bridge_arena.bots.minimax.placement import place_at_random, place_most_probable
from bridge_arena.bots.minimax.search import best_cards
from bridge_arena.bridge.cards import Card
from bridge_arena.oracle.position import Position
from bridge_arena.protocol.view import View


class MinimaxBot(BiddingBot):
    """A player that places the hidden cards once for each decision and searches that layout.

    Of the cards that take the most tricks on this layout, `baseline`'s rules choose one.

    Args:
        depth: Tricks to search, 1 to 13, with the double-dummy solver behind them; it changes the
            cost of the search, not its result.
        placement: `random`; `bayes`, the most probable placement after the auction; or `opt`,
            `bayes` when defending and `random` when declaring.
        bidding: The bidding system.

    Raises:
        ValueError: The depth is another.
    """

    name = "minimax"

    def __init__(
        self,
        depth: int = 1,
        placement: Literal["random", "bayes", "opt"] = "opt",
        bidding: SystemName = "natural",
    ) -> None:
        super().__init__(bidding)
        if not 1 <= depth <= 13:
            raise ValueError(f"depth is {depth}, expected 1 to 13 tricks")
        self._depth = depth
        self._placement = placement
        self._table = BidTable.load()

    def play(self, view: View) -> Card:
        play = view.playing
        legal = view.legal_cards()
        if len(legal) == 1:
            return next(iter(legal))
        inferring = self._placement == "bayes" or (
            self._placement == "opt" and view.seat.side != play.declarer.side
        )
        if inferring:
            hands = place_most_probable(view, self._table, self.rng)
        else:
            hands = place_at_random(view, self.rng)
        best = best_cards(Position.of(play, hands), self._depth)
        cards, how = " ".join(map(str, best)), "by the auction" if inferring else "at random"
        shown = " ".join(map(str, hands))
        text = f"{cards} best if the cards lie N:{shown}, placed {how}"
        self.think(text, layouts=1, depth=self._depth)
        return card_on_layout(play, hands, best)
