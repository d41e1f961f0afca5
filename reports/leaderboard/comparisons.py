"""The results of entries against the other tables that played the same boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS, Side
from bridge_arena.reports.common.tables import TablesOfBoard


def compared_imps(boards: Iterable[TablesOfBoard]) -> Iterator[tuple[str, Deal, float]]:
    """Yield every entry's cross-IMPs at every table where it sat, once for both seats of a pair.

    A board that no other table played is left out.

    Args:
        boards: The boards of pairs and individual events.

    Yields:
        The entry's name, the deal, and the IMPs.
    """
    for board in boards:
        for table, score in zip(board.tables, board.scores, strict=True):
            if score is None or score.imps is None:
                continue
            sides = {table.names[seat]: seat.side for seat in SEATS}
            for name, side in sides.items():
                yield name, board.board.deal, score.imps if side is Side.NS else -score.imps
