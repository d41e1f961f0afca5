"""PBN files as a stream of games with their records, bad games named and passed over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.deviations import Kind
from bridge_arena.pbn.model import Game, PbnError, Problem
from bridge_arena.pbn.read.meaning import meaning_of
from bridge_arena.pbn.read.reader import read_games

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of a file; `record` is None where it is none. `problem`: why it is none, or how
    its result contradicts the cards played."""

    game: Game
    record: BoardRecord | None
    problem: Problem | None = None

    @property
    def is_doubtful(self) -> bool:
        """Whether the cards played leave its result impossible, and are too few to decide."""
        record, problem = self.record, self.problem
        return record is not None and problem is not None and len(record.cards) < 52

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


def read_entries(files: Iterable[Path], report: Callable[[Problem], None]) -> Iterator[Entry]:
    """Every game of every file, in order. `report` is told of bad games, which come as
    entries all the same, and of files that cannot be read or are not PBN."""
    for path in files:
        games = read_games(path)
        try:
            for game in games:
                yield entry_with(game, report)
        except PbnError as error:
            report(error.problem)
            continue
        if not games.count:
            line = games.problems[0].line if games.problems else 0
            what = "this is not a PBN file: it has no game" if line else "it has no game"
            report(Problem(games.name, line, 0, what))


def entry_with(game: Game, report: Callable[[Problem], None]) -> Entry:
    """The entry of a game; `report` is told if there is something wrong with it."""
    meaning = meaning_of(game)
    wrong = (each for each in meaning.deviations if each.kind is Kind.RESULT)
    problem = (
        meaning.error.problem if meaning.error else next((each.problem for each in wrong), None)
    )
    if problem is not None:
        report(problem)
    return Entry(game, meaning.record, problem)


def in_chunks(things: Iterable[T], size: int) -> Iterator[list[T]]:
    chunk: list[T] = []
    for thing in things:
        chunk.append(thing)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
