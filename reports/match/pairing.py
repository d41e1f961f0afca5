"""Which records make a match: the teams, the boards played in both rooms, the forfeit.

Teams are told apart by where they sit (`tournaments.schedule.units.team_at`) and never by
name, so that a bot may play against itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import FORFEITING, BoardRecord, Fault, Room
from bridge_arena.bridge.scoring import imps
from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.schedule.units import team_at


@dataclass(frozen=True, slots=True)
class PairedBoard:
    """A board that was finished in both rooms: one observation of every statistic."""

    open: BoardRecord
    closed: BoardRecord

    @property
    def board(self) -> Board:
        return self.open.board

    @property
    def imps(self) -> int:
        """The swing, positive when the home team gained."""
        if self.open.score is None or self.closed.score is None:
            raise ValueError(f"board {self.board.number} was not finished in both rooms")
        return imps(self.open.score - self.closed.score)


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Who could not play on (HOME or VISITORS), where, and why."""

    team: int
    board: int
    room: Room | None
    fault: Fault


def pair_boards(records: Iterable[BoardRecord]) -> tuple[list[PairedBoard], int]:
    """The boards finished in both rooms by number, and how many were in one only.

    Raises ValueError when a board was finished twice, differently, in one room.
    """
    rooms: dict[Board, dict[Room | None, BoardRecord]] = {}
    for record in records:
        if not record.is_finished:
            continue
        played = rooms.setdefault(record.board, {})
        if played.setdefault(record.room, record) != record:
            where = f"the {record.room.lower()} room" if record.room else "one match"
            raise ValueError(f"board {record.board.number} was played twice in {where}")
    pairs = [
        PairedBoard(played[Room.OPEN], played[Room.CLOSED])
        for played in rooms.values()
        if Room.OPEN in played and Room.CLOSED in played
    ]
    pairs.sort(key=lambda pair: pair.board.number)
    return pairs, len(rooms) - len(pairs)


def team_faults(records: Iterable[BoardRecord], team: int) -> list[Fault]:
    """All faults of one team, on unfinished boards too."""
    return [
        fault
        for record in records
        for fault in record.faults
        if _team_of(fault.seat, record) == team
    ]


def find_forfeit(records: Iterable[BoardRecord]) -> Forfeit | None:
    """The first board, by number, that lost a player for good; None if none did."""
    for record in sorted(records, key=lambda record: record.board.number):
        if record.is_finished or record.adjusted is not None:
            continue
        for fault in record.faults:
            if fault.kind in FORFEITING:
                team = _team_of(fault.seat, record)
                return Forfeit(team, record.board.number, record.room, fault)
    return None


def _team_of(seat: Seat, record: BoardRecord) -> int:
    return team_at(seat.side, record.room)
