"""A bot that knows nothing: the floor under every ranking."""

from __future__ import annotations

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.protocol.view import View


class RandomBot(Bot):
    """A player that chooses uniformly among the legal calls and cards, from the board's seed."""

    name = "random"

    def call(self, view: View) -> Call:
        return pick(self.rng, view.legal_calls())

    def play(self, view: View) -> Card:
        return pick(self.rng, list(view.legal_cards()))
