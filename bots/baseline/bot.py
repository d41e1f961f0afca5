"""The baseline: simple bidding, and Liao's rules for the play."""

from __future__ import annotations

from bots.baseline.bidding import choose_call
from bots.baseline.play import choose_card
from bots.client import Bot
from bridge.cards import Card
from bridge.record import MadeCall
from protocol.view import View


class BaselineBot(Bot):
    """Takes a trick when it can, else plays low."""

    name = "baseline"

    def call(self, view: View) -> MadeCall:
        return choose_call(view)

    def play(self, view: View) -> Card:
        return choose_card(view, self.rng)
