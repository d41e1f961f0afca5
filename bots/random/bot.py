"""A bot that knows nothing: the floor under every ranking."""

from __future__ import annotations

from bots.choice import pick
from bots.client import Bot
from bridge.calls import Call
from bridge.cards import Card
from protocol.view import View


class RandomBot(Bot):
    """Chooses uniformly among the legal calls and cards, from the board's seed."""

    name = "random"

    def call(self, view: View) -> Call:
        return pick(self.rng, view.legal_calls())

    def play(self, view: View) -> Card:
        return pick(self.rng, list(view.legal_cards()))
