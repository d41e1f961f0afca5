"""OpenSpiel's bridge: its numbers of calls and cards, its state of a board, and a bot of its own.

Its cards are 0 to 51, 4 × rank + suit (C2, D2, H2, S2, C3, …); its calls come after them.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bots.library.sampling.sampler import Sampler
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import RANKS, SUITS, Card, Hand
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.view import View

_FIRST_CALL = 52


def openspiel_action(chosen: Call | Card) -> int:
    if isinstance(chosen, Card):
        return 4 * (chosen.rank - 2) + chosen.suit
    return _FIRST_CALL + int(chosen)


def chosen_by_openspiel(action: int) -> Call | Card:
    """Return the call or card of an action of OpenSpiel, 0 to 89. Raises ValueError for another."""
    if not 0 <= action < _FIRST_CALL + len(CALLS):
        raise ValueError(f"OpenSpiel's bridge has no action {action}")
    if action >= _FIRST_CALL:
        return CALLS[action - _FIRST_CALL]
    rank, suit = divmod(action, 4)
    return Card.of(SUITS[suit], RANKS[rank])


def library() -> Any:
    """Return OpenSpiel's module. Raises ModuleNotFoundError, which says what installs it."""
    # No extra brings it, as it is not to be had on every system.
    try:
        import pyspiel  # noqa: PLC0415  what is above does not need it
    except ModuleNotFoundError as error:
        what = f"OpenSpiel's adapter needs open_spiel ({error.name} is not installed)"
        pip = f"{shlex.quote(sys.executable)} -m pip install open_spiel"
        raise ModuleNotFoundError(f"{what}: {pip}", name=error.name) from None
    return pyspiel


def dealt_state(dealer: Seat, vulnerability: Vulnerability, hands: Sequence[Hand]) -> Any:
    """Return OpenSpiel's state of a board whose auction begins, of the hands of N, E, S and W."""
    game = library().load_game(
        "bridge",
        {
            "use_double_dummy_result": False,
            "dealer": int(dealer),
            "dealer_vul": vulnerability.includes(dealer.side),
            "non_dealer_vul": vulnerability.includes(dealer.side.other),
        },
    )
    state = game.new_initial_state()
    for cards in zip(*hands, strict=True):
        for card in cards:
            state.apply_action(openspiel_action(card))
    return state


def state_of(view: View, rng: Random) -> Any:
    """Return OpenSpiel's state of a board, hidden cards dealt at random to fit what was seen."""
    (held,) = Sampler(view, (ANY,) * len(SEATS)).draw(1, rng)
    hands = [held[seat] | view.played[seat] for seat in SEATS]
    state = dealt_state(view.dealer, view.vulnerability, hands)
    for made in view.calls:
        state.apply_action(openspiel_action(made.call))
    for card in view.play.cards if view.play is not None else ():
        state.apply_action(openspiel_action(card))
    return state


class OpenSpielBot(Bot):
    """A player that asks a bot of OpenSpiel at each turn, and tells it nothing else."""

    name = "openspiel"

    def __init__(self, make: Callable[[int], Any]) -> None:
        super().__init__()
        self._make = make
        self._player: Any = None  # the OpenSpiel bot, once the seat is known

    def board_started(self, view: View) -> None:
        """Make the OpenSpiel bot of the seat, at the first board."""
        if self._player is None:
            self._player = self._make(int(view.seat))

    def call(self, view: View) -> Call:
        """Return the OpenSpiel bot's call; the arena tells if it is none."""
        called: Call = self._chosen(view)
        return called

    def play(self, view: View) -> Card:
        """Return the OpenSpiel bot's card; the arena tells if it is none."""
        played: Card = self._chosen(view)
        return played

    def _chosen(self, view: View) -> Any:
        return chosen_by_openspiel(int(self._player.step(state_of(view, self.rng))))
