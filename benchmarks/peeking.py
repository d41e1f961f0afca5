"""Provide a bot that cheats a little: it gets the deal, and looks only at partner's hand."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.tricks.net import shipped
from bridge_arena.bridge.calls import DENOMINATIONS, PASS, Call, Contract, Risk
from bridge_arena.bridge.cards import SUITS, Card, Hand
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.scoring import contract_score
from bridge_arena.protocol.view import View


class PeekingBot(BaselineBot):
    """The bot `baseline` with the sight of partner's hand.

    It bids at once the contract with the most points on average for the two hands, and leads the
    suit in which they have most cards and strength.
    """

    name = "peeking"

    def call(self, view: View) -> MadeCall:
        """Bid the wanted contract first, if it can be bid; then pass."""
        if view.calls_of(view.seat) or view.calls_of(view.seat.partner):
            return MadeCall(PASS)
        wanted = self._best_contract(view)
        return MadeCall(wanted if wanted is not None and view.auction.is_legal(wanted) else PASS)

    def play(self, view: View) -> Card:
        if view.playing.cards:
            return super().play(view)
        partner = self._partner(view)
        legal = view.legal_cards()
        suits = [suit for suit in SUITS if legal.length(suit) and suit != view.playing.trump]
        if not suits:
            return super().play(view)
        strength = {
            suit: 2 * sum(max(0, card.rank - 10) for card in partner.suit(suit))
            + sum(max(0, card.rank - 10) for card in view.hand.suit(suit))
            + partner.length(suit)
            + view.hand.length(suit)
            for suit in suits
        }
        return min(view.hand.suit(max(suits, key=lambda suit: strength[suit])))

    def _best_contract(self, view: View) -> Call | None:
        own, partner = hands_array([view.hand]), hands_array([self._partner(view)])
        chances = shipped().estimate(own, partner).distribution()[0]
        vulnerable = view.vulnerability.includes(view.seat.side)
        best, most = None, 0.0
        for denomination in DENOMINATIONS:
            for level in range(1, 8):
                contract = Contract(level, denomination, Risk.UNDOUBLED, view.seat)
                points = [contract_score(contract, t, vulnerable=vulnerable) for t in range(14)]
                worth = float(np.array(points) @ chances[denomination, 0])
                if worth > most:
                    best, most = Call(f"{level}{denomination}"), worth
        return best

    @staticmethod
    def _partner(view: View) -> Hand:
        if view.deal is None:
            raise ValueError("it is not shown the deal: seat it as a cheat")
        return view.deal[view.seat.partner]
