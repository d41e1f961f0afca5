"""The boards and board records of files in any format."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from bridge_arena.base.recorded_text import Problem, RecordedTextError
from bridge_arena.board_files.formats import TRAITS
from bridge_arena.board_files.problems import BoardFileError, Report, tell
from bridge_arena.board_files.texts import BoardText, Source, texts_in
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord


def read_boards(source: Source) -> list[Board]:
    """Read the distinct boards of a PBN or LIN file, in file order.

    A board that several tables played comes once.

    Args:
        source: A path, `-` for standard input, or a link to BBO's handviewer. A file may be packed
            as `.gz` or `.zip`.

    Returns:
        The boards.

    Raises:
        BoardFileError: The file cannot be read or has no board, or one of its games has no possible
            deal, dealer and vulnerability.
    """
    boards: dict[Board, None] = {}
    for text in texts_in(source):
        with _opened(text) as stream:
            boards |= dict.fromkeys(TRAITS[text.format].boards(stream))
    return list(boards)


def read_records(source: Source, report: Report | None = None) -> Iterator[BoardRecord]:
    """Yield the board records of a PBN or LIN file, one at a time.

    Args:
        source: A path, `-` for standard input, or a link to BBO's handviewer. A file may be packed
            as `.gz` or `.zip`.
        report: Called with a problem for each game that is no record; reading then goes on.

    Yields:
        The records, in file order.

    Raises:
        BoardFileError: The file cannot be read; or a game is no record and there is no `report`.
    """
    for text in texts_in(source, report):
        with _opened(text) as stream:
            problems: list[Problem] | None = None if report is None else []
            yield from TRAITS[text.format].records(stream, problems)
            for problem in problems or ():
                tell(report, BoardFileError(problem))


@contextmanager
def _opened(text: BoardText) -> Iterator[BinaryIO]:
    """Open a text; raise BoardFileError if it cannot be read as its format."""
    try:
        with text.open() as stream:
            yield stream
    except RecordedTextError as error:
        raise BoardFileError(error.problem) from None
