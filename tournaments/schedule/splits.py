"""The IMPs of a board by their causes: the auction, and each team's play in three roles.

The swing of a board is split by team and role (`oracle.ledger.split_swing`) into the auction and
six parts of play, three roles in each of two rooms. The opening lead and the defence of a room
belong to the team that defended there, declarer's play to the team that declared. All seen from the
home team,

    imps = auction + the home team's three parts + the visitors' three parts

The auction is one number of both teams, as only the difference between the contracts of the rooms
counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum
from typing import Annotated, TypeVar

from pydantic import PlainSerializer

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.oracle.errors import ImpossibleError
from bridge_arena.oracle.ledger import Role, split_swing
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, team_at

T = TypeVar("T")

ByRole = Mapping[Annotated[Role, PlainSerializer(lambda role: role.key)], T]
"""A figure for each role."""


@dataclass(frozen=True, slots=True)
class Split:
    """The IMPs of a board, all seen from the home team."""

    auction: float
    first: ByRole[float]  # the parts of the home team's own play
    second: ByRole[float]  # the parts of the visitors' play

    def of(self, team: int) -> ByRole[float]:
        """Return the parts of HOME's or VISITORS' play."""
        return self.first if team == HOME else self.second


def split_of(in_open: Played, in_closed: Played) -> Split | None:
    """Return the split of a board that was finished in both rooms.

    It is None without the ledgers of both rooms. A board passed out has none.
    """
    rooms = {Room.OPEN: in_open.record, Room.CLOSED: in_closed.record}
    try:
        swing = split_swing(in_open.record, in_closed.record, in_open.ledger, in_closed.ledger)
    except ImpossibleError:  # no ledger, or a score that its contract does not give
        return None

    def play(team: int) -> dict[Role, float]:
        return {
            role: fsum(
                swing.parts[room, role]
                for room, record in rooms.items()
                if _team_in_role(record, role) == team
            )
            for role in Role
        }

    return Split(float(swing.auction), play(HOME), play(VISITORS))


def _team_in_role(record: BoardRecord, role: Role) -> int | None:
    """Return the team that had a role at a table; None if the board was passed out."""
    if record.contract is None:
        return None
    side = record.contract.declarer.side
    return team_at(side if role is Role.DECLARER_PLAY else side.other, record.room)
