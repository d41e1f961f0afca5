"""The units of an event, each one board at one table, with fixed names, and their lineups.

The home team sits North-South in the open room and East-West in the closed room. An event is
resumed with the schedule minus the units that the store holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bridge_arena.bridge.record import Room
from bridge_arena.bridge.seats import Side
from bridge_arena.tournaments.events.boards import SUBSTITUTES

HOME, VISITORS = 0, 1
"""The index of each team in pairs of values of a match."""

Lineup = tuple[int, int, int, int]
"""The entries, by their numbers from 0, in the seats N, E, S, W."""


@dataclass(frozen=True, slots=True)
class Match:
    """Entries that play boards against each other.

    They are two teams in two rooms, or two pairs or four players at one table.
    """

    round: int  # the number of the round, from 1
    number: int  # the number of the match in its round, from 1
    entries: tuple[int, ...]  # the numbers of the entries, from 0
    boards: tuple[int, ...]  # the numbers of the boards in the supply
    # The rooms; one None for a single table.
    rooms: tuple[Room | None, ...] = (Room.OPEN, Room.CLOSED)

    @property
    def id(self) -> str:
        """The id, round/number."""
        return f"{self.round}/{self.number}"

    def lineup(self, room: Room | None) -> Lineup:
        """Return the entries in the seats of a room."""
        if len(self.entries) == 4:
            north, east, south, west = self.entries
            return north, east, south, west
        home, visitors = self.entries
        if room is Room.CLOSED:
            home, visitors = visitors, home
        return home, visitors, home, visitors

    def units(self) -> Iterator[Unit]:
        """Yield the units board by board, in the order in which results are listed."""
        for place, board in enumerate(self.boards, start=1):
            # Boards may still come before substitutes.
            position = place if board <= SUBSTITUTES else board
            for room in self.rooms:
                yield Unit(self, position, board, room)


@dataclass(frozen=True, slots=True)
class Unit:
    """One board at one table."""

    match: Match  # the match that it belongs to
    # The position of the board in the match, from 1; that of a substitute is its number.
    position: int
    board: int  # the number of the board in the supply
    room: Room | None  # the room; None for a single table

    @property
    def place(self) -> str:
        """The room as ids have it; `table` for a single table."""
        return self.room.lower() if self.room else "table"

    @property
    def id(self) -> str:
        """The id, round/match/position/room."""
        return f"{self.match.id}/{self.position}/{self.place}"

    @property
    def lineup(self) -> Lineup:
        """The entries in the seats."""
        return self.match.lineup(self.room)


@dataclass(frozen=True, slots=True)
class Round:
    """Matches that may be played at once."""

    number: int  # the number of the round, from 1
    matches: tuple[Match, ...]
    byes: tuple[int, ...] = ()  # the entries that sit out


def tables_of(matches: Iterable[Match], match: Match) -> int:
    """Return the number of tables that are to play the boards of a match."""
    return sum(other.boards == match.boards for other in matches)


def in_schedule_order(unit: str) -> tuple[int, int, int, bool]:
    """Return the sort key of a unit's id: the open room comes before the closed one."""
    round_, match, position, place = unit.split("/")
    return int(round_), int(match), int(position), place == "closed"


def team_at(side: Side, room: Room | None) -> int:
    """Return the team, HOME or VISITORS, on a side; without a room, as in the open room."""
    return (side + (room is Room.CLOSED)) % 2
