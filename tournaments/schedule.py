"""What is to be played, in units that keep their names, and who sits where.

The home team sits North-South in the open room and East-West in the closed room.
Resuming is the schedule minus the units that the store holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bridge.board import Board
from bridge.record import Room
from bridge.seats import Side

HOME, VISITORS = 0, 1
"""The index of each team wherever a match has two of something."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One board in one room. `position`: where the board stands in the match, from 1;
    numbers may repeat where boards come from a file."""

    position: int
    board: Board
    room: Room

    @property
    def id(self) -> str:
        """event/stage/round/match/board/room."""
        return f"match/1/1/1/{self.position}/{self.room.lower()}"


def room_of(unit_id: str) -> Room:
    """The room in a unit's id."""
    return Room(unit_id.rpartition("/")[2].capitalize())


def match_schedule(boards: Sequence[Board]) -> list[Unit]:
    """Every board in both rooms, in the order in which results are listed."""
    return [
        Unit(position, board, room)
        for position, board in enumerate(boards, start=1)
        for room in Room
    ]


def team_at(side: Side, room: Room | None) -> int:
    """HOME or VISITORS: who sits there. A table without a room counts as the open room."""
    return (side + (room is Room.CLOSED)) % 2
