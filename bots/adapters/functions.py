"""A bot made of bare functions."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.view import View


class FunctionBot(Bot):
    """A player that asks a function for its calls, and another for its cards.

    Args:
        call: Returns the call; None to pass.
        play: Returns the card; None for the lowest legal one.
    """

    name = "function"

    def __init__(
        self,
        call: Callable[[View], Call | MadeCall | str] | None,
        play: Callable[[View], Card | str] | None,
    ) -> None:
        super().__init__()
        self._call = call
        self._play = play

    def call(self, view: View) -> Call | MadeCall:
        """Return the function's call."""
        if self._call is None:
            return PASS
        called = self._call(view)
        return Call(called) if isinstance(called, str) else called

    def play(self, view: View) -> Card:
        """Return the function's card."""
        if self._play is None:
            return lowest(view)
        played = self._play(view)
        return Card(played) if isinstance(played, str) else played


def lowest(view: View) -> Card:
    """Return the legal card of the lowest rank."""
    return min(view.legal_cards(), key=lambda card: card.rank)
