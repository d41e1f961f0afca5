"""Files of boards as a stream of games with their records; bad games are reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files.games import ReadGame, read_games
from bridge_arena.board_files.problems import BoardFileError, Report
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.deviations import Kind
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.results import own_score

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    game: Game
    record: BoardRecord | None  # its record, or None if the game is no record of a board
    # Why there is no record; or where the result contradicts the cards played and, in LIN, whatever
    # else was wrong at the table.
    problems: tuple[Problem, ...] = ()
    is_doubtful: bool = False  # the cards contradict the result, and are too few to decide
    file_score: int | None = None  # North-South's points, if the file tells them; LIN never does
    board: Board | None = None  # also without a record; None if it is not complete

    @property
    def group(self) -> str:
        """The key that two rooms share which played the same board of the same match.

        If the teams are not named, only tables of one file share it.
        """
        assert self.record is not None
        game, board = self.game, self.record.board
        names = ("Event", "Stage", "Section", "Round", "Table", "HomeTeam", "VisitTeam")
        values = [game.get(name).strip() for name in names]
        if not (self.record.home and self.record.visitors):
            values.append(game.file)
        values += [str(board.number), str(board.dealer), str(board.vulnerability)]
        return "\n".join([*values, str(board.deal)])


def read_entries(files: Iterable[Path], report: Report) -> Iterator[Entry]:
    for path in files:
        try:
            for read in read_games(path, report):
                yield entry_with(read, report)
        except BoardFileError as error:
            report(error.problem)


def entry_with(read: ReadGame, report: Report) -> Entry:
    record = read.record
    is_doubtful = False
    if record is None:
        problems = [read.error.problem] if read.error else []
    else:
        problems = [
            deviation.problem
            for deviation in read.deviations
            if deviation.kind is Kind.RESULT or (deviation.is_error and not read.is_pbn)
        ]
        is_contradicted = any(deviation.kind is Kind.RESULT for deviation in read.deviations)
        is_doubtful = is_contradicted and len(record.cards) < 52
    for problem in problems:
        report(problem)
    # A LIN file has no scores: that of its game was computed.
    file_score = own_score(read.game, record) if record and read.is_pbn else None
    return Entry(read.game, record, tuple(problems), is_doubtful, file_score, read.board)


def in_chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield items in lists of `size`, of which the last may be shorter."""
    left = iter(items)
    return iter(lambda: list(islice(left, size)), [])
