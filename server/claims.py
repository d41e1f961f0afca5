"""Claims at the table (Laws 68 to 71, for players who cannot talk).

Declarer may claim some of the tricks that are left when a card of declarer's or dummy's
is due, and faces the hand (Law 68). There is no statement of a line of play. What then
happens is the table's policy. A claim that is not accepted is void: the play goes on from
the same turn, all having seen declarer's cards; there is no more than one claim a trick.
Nothing is adjudicated afterwards: a claim that was accepted stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.errors import DeadlineError, SolverError, WorkerError
from bridge_arena.oracle.position import Position
from bridge_arena.protocol.messages import ClaimMade


class Claims(StrEnum):
    """Who says whether a claim holds."""

    OFF = "off"  # nobody: there are no claims
    PLAYERS = "players"  # both defenders, each for himself; it takes both to accept
    CHECKED = "checked"  # the solver: accepted if declarer can take as many double dummy


@dataclass(frozen=True, slots=True)
class SettledClaim:
    """A claim that was accepted or not: declarer's seat, how many tricks, and how many cards
    had been played."""

    seat: Seat
    tricks: int
    cards: int
    accepted: bool


class OpenClaim:
    """A claim that is not settled; `waiting` are the defenders who have not answered."""

    def __init__(self, made: ClaimMade, policy: Claims) -> None:
        self.tricks = made.tricks
        self.accepted = True
        self.waiting: set[Seat] = set()
        if policy is Claims.PLAYERS:
            self.waiting.update(seat for seat in SEATS if seat.side != made.seat.side)

    def answer(self, seat: Seat, *, accept: bool) -> None:
        self.waiting.remove(seat)
        self.accepted = self.accepted and accept


class Solver(Protocol):
    """What checks claims: `oracle.pool.Oracle` is one."""

    async def card_values(self, position: Position) -> Mapping[Card, int]:
        """For each legal card, the tricks that the side in turn takes from here on.

        Raises OracleError.
        """


async def holds(solver: Solver, position: Position, tricks: int) -> bool:
    """Whether the side in turn, declarer's, can take `tricks` more with all cards seen;
    a claim that cannot be solved in time does not hold."""
    try:
        values = await solver.card_values(position)
    except (DeadlineError, SolverError, WorkerError):
        return False
    return max(values.values()) >= tricks
