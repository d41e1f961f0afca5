"""The boards and board records of files, whatever their format."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from bridge_arena.board_files.formats import Format
from bridge_arena.board_files.problems import BoardFileError, Problem, Report, tell
from bridge_arena.board_files.texts import BoardText, Source, texts_in
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lin.handviewer import read_tables
from bridge_arena.lin.model import LinError
from bridge_arena.lin.model import Problem as LinProblem
from bridge_arena.lin.read import records as lin
from bridge_arena.pbn.model import PbnError
from bridge_arena.pbn.model import Problem as PbnProblem
from bridge_arena.pbn.read import records as pbn


def read_boards(source: Source) -> list[Board]:
    """The distinct boards of a file in file order, each once however many tables played it.

    Raises BoardFileError for a file that cannot be read or has no board, and for the first
    game without a possible deal, dealer and vulnerability.
    """
    boards: dict[Board, None] = {}
    for text in texts_in(source):
        with _opened(text) as stream:
            if text.format is Format.PBN:
                found = pbn.read_boards(stream)
            else:
                found = [record.board for record in _records(text.format, stream)]
            boards |= dict.fromkeys(found)
    return list(boards)


def read_records(source: Source, report: Report | None = None) -> Iterator[BoardRecord]:
    """The records of a file, one at a time.

    Raises BoardFileError for a file that cannot be read, and for the first game that is no
    record; or reports each such game, where `report` is given, and goes on.
    """
    for text in texts_in(source, report):
        with _opened(text) as stream:
            yield from _records(text.format, stream, report)


def _records(form: Format, stream: BinaryIO, report: Report | None = None) -> Iterator[BoardRecord]:
    games: list[PbnProblem] = []
    tables: list[LinProblem] = []
    is_strict = report is None
    match form:
        case Format.PBN:
            yield from pbn.read_records(stream, None if is_strict else games)
        case Format.LIN:
            yield from lin.read_records(stream, None if is_strict else tables)
        case Format.LINKS:
            found = read_tables(stream, stream.name, tables)
            yield from lin.records_of(found, None if is_strict else tables)
    problems: list[Problem] = [*games, *tables]
    for problem in problems:
        tell(report, BoardFileError(problem))


@contextmanager
def _opened(text: BoardText) -> Iterator[BinaryIO]:
    """A text; what is wrong with it becomes a BoardFileError."""
    try:
        with text.open() as stream:
            yield stream
    except (PbnError, LinError) as error:
        raise BoardFileError(error.problem) from None
