"""The tables of a match as rows: a board comes twice, once for each room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.datasets.rows import TABLE_MEANINGS, Kind, columns, table_row
from bridge_arena.recorded.frames import Cell, Columns
from bridge_arena.reports.common.tables import planned_matches, seated_tables, team_matches
from bridge_arena.tournaments import EventResults

MATCH_TABLE_MEANINGS = {
    **TABLE_MEANINGS,
    "adjusted": "the side at fault, NS or EW, if the board could not be finished",
    "imps": "the IMPs of the board, seen from the home team; null if it does not count",
}
"""The columns, and what is in them: those of datasets, and two more."""

MATCH_TABLE_COLUMNS: Columns = {**columns(Kind.TABLES), "adjusted": str, "imps": int}


def match_records(results: EventResults) -> Iterator[BoardRecord]:
    """Yield the records of a match, board by board, those of the open room first."""
    for record, _ in _tables(results):
        yield record


def match_table_rows(results: EventResults) -> Iterator[Mapping[str, Cell]]:
    """Yield a row for each table of a match, board by board, that of the open room first."""
    for record, imps in _tables(results):
        side = record.adjusted
        yield {
            **table_row(record).cells,
            "adjusted": None if side is None else str(side),
            "imps": imps,
        }


def _tables(results: EventResults) -> Iterator[tuple[BoardRecord, int | None]]:
    """Yield each record with the home team's IMPs on its board."""
    planned = planned_matches(results)
    for match in team_matches(results, planned, seated_tables(results, planned)):
        for board in match.boards:
            for table in board.tables:
                yield table.record, board.imps
