"""What each table of a board was worth against the other tables that played it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bridge.cards import Deal
from bridge.comparison import cross_imps
from bridge.seats import SEATS, Side
from tournaments.leaderboard.matches import SeatedTable, TablesOfBoard
from tournaments.outcomes import AVERAGE_PLUS_IMPS


def table_imps(board: TablesOfBoard) -> list[tuple[SeatedTable, float | None]]:
    """North-South's IMPs at every table: the mean of those against each other table that was
    finished, or average plus or minus where the board was adjusted. None where it was not
    finished, or there is no other table."""
    scores = [table.record.score for table in board.tables if table.record.score is not None]
    values = iter(cross_imps(scores))
    worth: list[tuple[SeatedTable, float | None]] = []
    for table in board.tables:
        record, value = table.record, None
        if record.score is not None:
            cross = next(values)
            value = float(cross) if len(scores) > 1 else None
        elif record.adjusted is not None:
            value = AVERAGE_PLUS_IMPS if record.adjusted is Side.EW else -AVERAGE_PLUS_IMPS
        worth.append((table, value))
    return worth


def compared_imps(boards: Iterable[TablesOfBoard]) -> Iterator[tuple[str, Deal, float]]:
    """Every entry's IMPs at every table where it sat, once for both seats of a pair."""
    for board in boards:
        for table, value in table_imps(board):
            if value is None:
                continue
            sides = {table.names[seat]: seat.side for seat in SEATS}
            for name, side in sides.items():
                yield name, board.board.deal, value if side is Side.NS else -value
