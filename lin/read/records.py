"""LIN files to boards and board records, with `bridge` as the judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.lin.model import LinError, Problem, Table
from bridge_arena.lin.read.boards import number_of
from bridge_arena.lin.read.meaning import meaning_of
from bridge_arena.lin.read.reader import Source, TableReader

Triple = tuple[Seat, Vulnerability, Deal]
"""What tells a board whose number is not known from others."""


def read_boards(source: Source, problems: list[Problem] | None = None) -> list[Board]:
    """The distinct boards of a file in file order, each once however many tables played it.

    Raises LinError as `read_records` does.
    """
    return list(dict.fromkeys(record.board for record in read_records(source, problems)))


def read_records(source: Source, problems: list[Problem] | None = None) -> Iterator[BoardRecord]:
    """The records of a file, one at a time. A board without a number gets the running count.

    Raises LinError for a file that cannot be read or has no table, and for the first table
    without a possible deal; or adds each such table to `problems`, where given, and goes on.
    """
    tables = TableReader(source)
    yield from records_of(tables, problems)
    if not tables.count:
        line = tables.problems[0].line if tables.problems else 0
        raise LinError(Problem(tables.name, line, 0, "this is not a LIN file: it has no board"))


def records_of(
    tables: Iterable[Table], problems: list[Problem] | None = None
) -> Iterator[BoardRecord]:
    """The records of tables, as `read_records` gives them."""
    numbers: dict[Triple, int] = {}
    for table in tables:
        meaning = meaning_of(table)
        if meaning.record is not None:
            yield numbered(table, meaning.record, numbers)
            continue
        assert meaning.error is not None
        if problems is None:
            raise meaning.error
        problems.append(meaning.error.problem)


def numbered(table: Table, record: BoardRecord, numbers: dict[Triple, int]) -> BoardRecord:
    """The record, with the running count as its board's number if the table gives none."""
    if number_of(table) is not None:
        return record
    board = record.board
    triple = board.dealer, board.vulnerability, board.deal
    number = numbers.setdefault(triple, len(numbers) + 1)
    return replace(record, board=replace(board, number=number))
