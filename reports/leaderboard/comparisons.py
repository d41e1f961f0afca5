"""What entries made of boards against the other tables that played them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS, Side
from bridge_arena.reports.common.tables import TablesOfBoard


def compared_imps(boards: Iterable[TablesOfBoard]) -> Iterator[tuple[str, Deal, float]]:
    """Every entry's cross-IMPs at every table where it sat, once for both seats of a pair;
    not where there is no other table."""
    for board in boards:
        for table, score in zip(board.tables, board.scores, strict=True):
            if score is None or score.imps is None:
                continue
            sides = {table.names[seat]: seat.side for seat in SEATS}
            for name, side in sides.items():
                yield name, board.board.deal, score.imps if side is Side.NS else -score.imps
