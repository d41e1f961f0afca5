"""What is to be played, in units that keep their names, and who sits where.

The home team sits North-South in the open room and East-West in the closed room.
Resuming is the schedule minus the units that the store holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bridge_arena.bridge.record import Room
from bridge_arena.bridge.seats import Side

HOME, VISITORS = 0, 1
"""The index of each team wherever a match has two of something."""

Lineup = tuple[int, int, int, int]
"""The entries, by their numbers from 0, in the seats N, E, S, W."""


@dataclass(frozen=True, slots=True)
class Match:
    """Entries that play boards against each other: two teams in two rooms, two pairs or four
    players at one table. `round`, `number`: from 1. `boards`: their numbers in the supply."""

    round: int
    number: int
    entries: tuple[int, ...]
    boards: tuple[int, ...]
    rooms: tuple[Room | None, ...] = (Room.OPEN, Room.CLOSED)

    @property
    def id(self) -> str:
        return f"{self.round}/{self.number}"

    def lineup(self, room: Room | None) -> Lineup:
        if len(self.entries) == 4:
            north, east, south, west = self.entries
            return north, east, south, west
        home, visitors = self.entries
        if room is Room.CLOSED:
            home, visitors = visitors, home
        return home, visitors, home, visitors

    def units(self) -> Iterator[Unit]:
        """Board by board, in the order in which results are listed."""
        for position, board in enumerate(self.boards, start=1):
            for room in self.rooms:
                yield Unit(self, position, board, room)


@dataclass(frozen=True, slots=True)
class Unit:
    """One board at one table. `position`: where the board stands in the match, from 1."""

    match: Match
    position: int
    board: int
    room: Room | None

    @property
    def place(self) -> str:
        """The room as ids have it; `table` where there is one alone."""
        return self.room.lower() if self.room else "table"

    @property
    def id(self) -> str:
        """round/match/board/room."""
        return f"{self.match.id}/{self.position}/{self.place}"

    @property
    def lineup(self) -> Lineup:
        return self.match.lineup(self.room)


@dataclass(frozen=True, slots=True)
class Round:
    """Matches that may be played at once. `byes`: entries that sit out."""

    number: int
    matches: tuple[Match, ...]
    byes: tuple[int, ...] = ()


def tables_of(matches: Iterable[Match], match: Match) -> int:
    """How many tables are to play the boards of a match."""
    return sum(other.boards == match.boards for other in matches)


def in_schedule_order(unit: str) -> tuple[int, int, int, bool]:
    """What units are sorted by, from the id: the open room comes before the closed one."""
    round_, match, position, place = unit.split("/")
    return int(round_), int(match), int(position), place == "closed"


def team_at(side: Side, room: Room | None) -> int:
    """HOME or VISITORS: who sits there. A table without a room counts as the open room."""
    return (side + (room is Room.CLOSED)) % 2
