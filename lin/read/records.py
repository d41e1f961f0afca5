"""Boards and board records of LIN files, which `bridge` judges."""

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
"""The identity of a board whose number is not known."""


def read_boards(source: Source, problems: list[Problem] | None = None) -> list[Board]:
    """Read the distinct boards of a file, in file order.

    A board that several tables played comes once.

    Args:
        source: A path or a binary stream.
        problems: Receives a problem for each table without a possible deal.

    Returns:
        The boards.

    Raises:
        LinError: The file cannot be read or has no table; or a table has no possible deal and
            `problems` is None.
    """
    return list(dict.fromkeys(record.board for record in read_records(source, problems)))


def read_records(source: Source, problems: list[Problem] | None = None) -> Iterator[BoardRecord]:
    """Yield the records of a file; boards without a number get the running count.

    Args:
        source: A path or a binary stream.
        problems: Receives a problem for each table without a possible deal.

    Yields:
        The records, one at a time.

    Raises:
        LinError: The file cannot be read or has no table; or a table has no possible deal and
            `problems` is None.
    """
    tables = TableReader(source)
    yield from records_of(tables, problems)
    if not tables.count:
        line = tables.problems[0].line if tables.problems else 0
        raise LinError(Problem(tables.name, line, 0, "this is not a LIN file: it has no board"))


def records_of(
    tables: Iterable[Table], problems: list[Problem] | None = None
) -> Iterator[BoardRecord]:
    """Yield the records of tables as `read_records` does.

    Args:
        tables: The tables.
        problems: Receives a problem for each table without a possible deal.

    Yields:
        The records, one at a time.

    Raises:
        NoBoardError: A table has no possible deal and `problems` is None.
    """
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
    """Return the record with the running count as its board's number if the table has none.

    Args:
        table: The table.
        record: Its record.
        numbers: The numbers given so far, to which a new one is added.

    Returns:
        The record.
    """
    if number_of(table) is not None:
        return record
    board = record.board
    triple = board.dealer, board.vulnerability, board.deal
    number = numbers.setdefault(triple, len(numbers) + 1)
    return replace(record, board=replace(board, number=number))
