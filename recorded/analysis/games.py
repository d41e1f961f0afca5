"""Files of boards as a stream of games with their records, bad games named and passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bridge_arena.board_files.games import ReadGame, read_games
from bridge_arena.board_files.problems import BoardFileError, Problem, Report
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lin.deviations import Kind as LinKind
from bridge_arena.pbn.deviations import Kind
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.own_scores import own_score

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of a file; `record` is None where it is none.

    `problems`: why it is none; or how its result contradicts the cards played, and, for LIN,
    whatever else was wrong at the table. `is_doubtful`: whether the cards played leave its
    result impossible, and are too few to decide. `told_score`: North-South's points as the file
    tells them; None where it does not (LIN never does).
    """

    game: Game
    record: BoardRecord | None
    problems: tuple[Problem, ...] = ()
    is_doubtful: bool = False
    told_score: int | None = None

    @property
    def group(self) -> str:
        """What two rooms have in common that played the same board of the same match.

        Where the teams are not named, only tables of one file go together.
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
    """Every game of every file, in order. `report` is told of bad games, which come as
    entries all the same, and of files that cannot be read or have no game."""
    for path in files:
        try:
            for read in read_games(path, report):
                yield entry_with(read, report)
        except BoardFileError as error:
            report(error.problem)


def entry_with(read: ReadGame, report: Report) -> Entry:
    """The entry of a game; `report` is told if there is something wrong with it."""
    record = read.record
    if record is None:
        problems = [read.error.problem] if read.error else []
        is_doubtful = False
    else:
        is_lin = read.table is not None
        problems = [
            each.problem
            for each in read.deviations
            if each.kind is Kind.RESULT or (is_lin and each.is_error)
        ]
        kinds = {each.kind for each in read.deviations}
        is_contradicted = bool(kinds & {Kind.RESULT, LinKind.RESULT})
        is_doubtful = is_contradicted and len(record.cards) < 52
    for problem in problems:
        report(problem)
    # The score of a LIN table's game was worked out.
    told_score = own_score(read.game, record) if record and read.table is None else None
    return Entry(read.game, record, tuple(problems), is_doubtful, told_score)


def in_chunks(things: Iterable[T], size: int) -> Iterator[list[T]]:
    chunk: list[T] = []
    for thing in things:
        chunk.append(thing)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
