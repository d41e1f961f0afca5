"""Double-dummy figures of boards, computed on demand and kept in memory."""

from __future__ import annotations

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import Par
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments import Played
from bridge_arena.tournaments.play.board_values import has_ledger, values_of


class Figures:
    """The double-dummy figures of boards.

    Every method raises DeadlineError, WorkerError and ClosedError.
    """

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._values: dict[BoardRecord, tuple[int, ...] | None] = {}

    async def of_board(self, board: Board) -> tuple[DoubleDummyTable, Par]:
        """Return the double-dummy table of a board, and its par."""
        (table,) = await self._oracle.tables([board.deal])
        return table, await self._oracle.par(board.deal, board.dealer, board.vulnerability)

    async def of_table(self, played: Played) -> Played:
        """Return a table with the values of its play, if it has any."""
        record = played.record
        if played.values is not None or not has_ledger(record):
            return played
        if record not in self._values:
            self._values[record] = await values_of(record, self._oracle)
        return Played(record, self._values[record])
