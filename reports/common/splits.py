"""The split of a board's swing by team and role.

The ledger (`oracle.ledger.split_swing`) splits it into the auction and six parts of play: three
roles in each of two rooms. The opening lead and the defence of a room belong to the team that
defended there, declarer's play to the team that declared. All seen from the home team,

    imps = auction + the home team's three parts + the visitors' three parts

The auction is one number of both teams, as only the difference between the contracts of the rooms
counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.oracle.errors import ImpossibleError
from bridge_arena.oracle.ledger import Role, split_swing
from bridge_arena.reports.common.values import ByRole
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, team_at


@dataclass(frozen=True, slots=True)
class Split:
    """The IMPs of a board, all seen from the home team.

    Attributes:
        auction: The part of the auction.
        first: The parts of the home team's own play.
        second: The parts of the visitors' play.
    """

    auction: float
    first: ByRole[float]
    second: ByRole[float]

    def of(self, team: int) -> ByRole[float]:
        """Return the parts of HOME's or VISITORS' play."""
        return self.first if team == HOME else self.second


def split_of(in_open: Played, in_closed: Played) -> Split | None:
    """Return the split of a board that was finished in both rooms.

    Args:
        in_open: The open room.
        in_closed: The closed room.

    Returns:
        The split; None without the ledgers of both rooms. A board passed out has none.
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
                if team_in_role(record, role) == team
            )
            for role in Role
        }

    return Split(float(swing.auction), play(HOME), play(VISITORS))


def team_in_role(record: BoardRecord, role: Role) -> int | None:
    """Return the team that had a role at a table; None if the board was passed out."""
    if record.contract is None:
        return None
    side = record.contract.declarer.side
    return team_at(side if role is Role.DECLARER_PLAY else side.other, record.room)
