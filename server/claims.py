"""Claims at the table (Laws 68 to 71, for players who cannot talk).

When a card of declarer's or dummy's is due, declarer may claim some of the tricks that are left,
and faces the hand (Law 68). There is no statement of a line of play. What happens then is the
table's policy. A claim that is not accepted is void: play continues from the same turn, and
everybody has seen declarer's cards. There is at most one claim in a trick. A claim that was
accepted stands: there is no adjudication afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from bridge_arena.oracle.errors import DeadlineError, SolverError, WorkerError

if TYPE_CHECKING:  # messages are slow to load, and options of commands name the policies
    from bridge_arena.bridge.cards import Card
    from bridge_arena.bridge.seats import Seat
    from bridge_arena.oracle.position import Position


class Claims(StrEnum):
    """The policy that decides whether a claim holds."""

    OFF = "off"  # nobody: there are no claims
    PLAYERS = "players"  # the defenders: both must accept, each without the other's answer
    CHECKED = "checked"  # the solver: accepted if declarer can take as many double dummy


@dataclass(frozen=True, slots=True)
class SettledClaim:
    """A claim for `tricks` by declarer, when `cards` had been played; and whether it held."""

    seat: Seat
    tricks: int
    cards: int
    accepted: bool


class Solver(Protocol):
    """A solver that checks claims, such as `oracle.pool.Oracle`."""

    async def card_values(self, position: Position) -> Mapping[Card, int]:
        """Return the tricks that each legal card takes from here on. Raises OracleError."""


async def holds(solver: Solver, position: Position, tricks: int) -> bool:
    """Return whether declarer's side can, all cards seen, take its tricks; False if too hard."""
    try:
        values = await solver.card_values(position)
    except (DeadlineError, SolverError, WorkerError):
        return False
    return max(values.values()) >= tricks
