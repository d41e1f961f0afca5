"""The fault by which a match was lost, whatever the results of its boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import model_serializer

from bridge_arena.bridge.record import FORFEITING, BoardRecord, Fault, Room
from bridge_arena.reports.common.values import Hidden, Json
from bridge_arena.tournaments.schedule.units import team_at


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The loss of a match by a player who could not play on.

    Attributes:
        by: The team that forfeited.
        to: The other team.
        board: The number of the board.
        room: The room; None if it is not recorded.
        fault: The fault.
    """

    by: str
    to: str
    board: int
    room: Room | None
    fault: Hidden[Fault]

    @model_serializer
    def values(self) -> Json:
        """Return the values for JSON files."""
        return {
            "by": self.by,
            "board": self.board,
            "room": self.room.value if self.room else None,
            "seat": str(self.fault.seat),
            "fault": self.fault.kind.value,
            "detail": self.fault.detail,
        }


def find_forfeit(names: Sequence[str], records: Iterable[BoardRecord]) -> Forfeit | None:
    """Return the first board, by number, that lost a player for good.

    Args:
        names: The names of home team and visitors.
        records: The records of the match.

    Returns:
        The forfeit; None if there is none.
    """
    for record in sorted(records, key=lambda record: record.board.number):
        for fault in () if record.is_done else record.faults:
            if fault.kind in FORFEITING:
                team = team_at(fault.seat.side, record.room)
                number = record.board.number
                return Forfeit(names[team], names[1 - team], number, record.room, fault)
    return None
