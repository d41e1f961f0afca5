"""The result of a table: what the schedule and the standings need of a record."""

from __future__ import annotations

from typing import NamedTuple

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import Side


class StoredResult(NamedTuple):
    """The result of a table whose record has not been read, with names as `BoardRecord` has."""

    board: Board
    players: tuple[str, ...]
    home: str
    visitors: str
    programs: tuple[str, ...]
    round: int
    table: int
    room: Room | None
    score: int | None
    adjusted: Side | None
    last_at_fault: str | None

    @property
    def is_done(self) -> bool:
        return self.score is not None or self.adjusted is not None


TableResult = BoardRecord | StoredResult
