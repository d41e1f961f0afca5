"""A bot that is shown the whole deal and plays it double dummy."""

from __future__ import annotations

from bridge_arena.bots.library.bidding_systems import BiddingBot
from bridge_arena.bots.library.double_dummy import solver_agrees
from bridge_arena.bridge.cards import Card
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.protocol.view import View


class OracleBot(BiddingBot):
    """A player that knows all four hands and takes the most tricks, double dummy.

    Of the cards that take the most tricks it plays the lowest. It bids by a system, on its own hand
    alone.

    Args:
        bidding: The bidding system.
    """

    name = "oracle"

    def play(self, view: View) -> Card:
        legal = view.legal_cards()
        if len(legal) == 1:
            return next(iter(legal))
        if view.deal is None or view.play is None:
            raise ValueError("the oracle is not shown the deal: seat it as a cheat")
        values = card_values(Position.of(view.play, view.deal.hands))
        most = max(values.values())
        best = [card for card, tricks in values.items() if tricks == most]
        return min(best, key=lambda card: (card.rank, card.suit))

    def answer_claim(self, view: View) -> bool:
        return solver_agrees(view)
