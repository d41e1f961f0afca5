"""Players of other libraries take a seat: each function returns what `run` and `play_match` take.

    from bridge_arena import run
    from bridge_arena.bots.adapters import from_pettingzoo
    run(from_pettingzoo(my_policy))

OpenSpiel is imported when its adapter is used, numpy when PettingZoo's is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.view import View

if TYPE_CHECKING:
    from bridge_arena.bots.adapters.pettingzoo import Policy

__all__ = ["MakeBot", "from_function", "from_openspiel", "from_pettingzoo"]

MakeBot = Callable[[], Bot]
"""A maker of bots, which makes one for each table; `play_match` names the bots after it."""


def from_function(
    call: Callable[[View], Call | MadeCall | str] | None = None,
    play: Callable[[View], Card | str] | None = None,
) -> MakeBot:
    """Return a maker of bots that ask bare functions.

    Args:
        call: Returns the call, as a value or as text (`"1NT"`), for what the bot sees; without it
            the bot always passes.
        play: Returns the card, as a value or as text (`"SA"`); without it the bot plays its lowest
            legal card.
    """

    def function() -> Bot:
        return FunctionBot(call, play)

    return function


def from_openspiel(make: Callable[[int], Any]) -> MakeBot:
    """Return a maker of bots that ask a bot of OpenSpiel's `bridge`.

    At each turn the OpenSpiel bot's `step` gets a state of the game. Such a state has all four
    hands, which no player knows: the cards that the seat cannot see are dealt at random, anew at
    each turn, so that they agree with all that it has seen. A bot that reads the others' cards in
    the state learns nothing from them. The board's seed gives the deals.

    Args:
        make: Returns the OpenSpiel bot for a player's number: 0 to 3 for North to West.

    Raises:
        ModuleNotFoundError: OpenSpiel is not installed; the message says what installs it.
    """
    from bridge_arena.bots.adapters.openspiel import OpenSpielBot, library  # noqa: PLC0415  numpy

    library()  # here, not at the bot's first turn

    def openspiel() -> Bot:
        return OpenSpielBot(make)

    return openspiel


def from_pettingzoo(policy: Policy, *, bids_only: bool = False) -> MakeBot:
    """Return a maker of bots that ask a policy of `bridge_arena.envs`.

    Args:
        policy: Returns the action for what `BridgeEnv.observe` returns, a dict of `observation` and
            `action_mask`.
        bids_only: Whether the policy is one of the mode "bidding"; the bot then plays its lowest
            legal card.
    """
    from bridge_arena.bots.adapters.pettingzoo import PolicyBot  # noqa: PLC0415  needs numpy

    def policy_bot() -> Bot:
        return PolicyBot(policy, bids_only=bids_only)

    return policy_bot


class FunctionBot(Bot):
    """A player that asks a function for its calls, and another for its cards."""

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
        if self._call is None:
            return PASS
        called = self._call(view)
        return Call(called) if isinstance(called, str) else called

    def play(self, view: View) -> Card:
        if self._play is None:
            return lowest(view)
        played = self._play(view)
        return Card(played) if isinstance(played, str) else played


def lowest(view: View) -> Card:
    return min(view.legal_cards(), key=lambda card: card.rank)
