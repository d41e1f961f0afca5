"""The tables of one board, wherever a file has them, and what their scores are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import butler, cross_imps, matchpoints, score_ns
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.field import TABLE, FieldTable, field_of
from bridge_arena.pbn.read.results import own_scores

GAMES = "games"
"""The source of tables that are games of their own."""

SEVERAL_FILES = "(several files)"
"""The file of a board whose tables come from more than one."""

LEAST = 3
"""The fewest games that make a field: two are the rooms of a match."""


@dataclass(frozen=True, slots=True)
class Result:
    """A table, or several with the same result."""

    table: FieldTable
    game: int  # the number of its game in the file
    score: int  # North-South's duplicate score; the file's if contract or tricks are not known


@dataclass(frozen=True, slots=True)
class FieldBoard:
    file: str
    event: str
    scoring: str  # the scoring that the file names
    board: Board
    source: str  # the tag that lists the tables, or GAMES
    results: tuple[Result, ...]  # the results of the tables

    @property
    def scores(self) -> list[int]:
        return [result.score for result in self.results for _ in range(result.table.multiplicity)]


def listed(game: Game, board: Board | None) -> FieldBoard | None:
    """Return the field of a game's ScoreTable, or None if it has no ScoreTable or no board."""
    if game.tag(TABLE) is None or board is None:
        return None
    results = [
        Result(table, game.number, score)
        for table in field_of(game).tables
        if (score := _score(table, board)) is not None
    ]
    return FieldBoard(game.file, event_of(game), game.get("Scoring"), board, TABLE, tuple(results))


def played(game: Game, record: BoardRecord, file_score: int | None = None) -> FieldBoard | None:
    """Return a field of one table from a record, or None if it has no result."""
    passed_out = record.contract is None and record.is_finished
    if not (passed_out or (record.contract is not None and record.tricks is not None)):
        return None
    names = record.players
    own: dict[str, Decimal] = {}
    if record.room is None:  # otherwise the figures are those of the match of two rooms
        own, _ = own_scores(game, record.contract.declarer if record.contract else None)
    table = FieldTable(
        line=game.line,
        section=game.get("Section").strip("?"),
        pair_ns=game.get("PairNS").strip("?"),
        pair_ew=game.get("PairEW").strip("?"),
        names_ns=_names(names[0], names[2]),
        names_ew=_names(names[1], names[3]),
        contract=record.contract,
        is_passed_out=passed_out,
        lead=str(record.cards[0]) if record.cards else "",
        tricks=record.tricks,
        score=file_score,
        own=own,
    )
    score = score_ns(record.contract, record.tricks, record.board.vulnerability)
    result = Result(table, game.number, score)
    return FieldBoard(game.file, event_of(game), record.scoring, record.board, GAMES, (result,))


def together(boards: Sequence[FieldBoard]) -> FieldBoard:
    """Return the tables of several fields of one board as one field."""
    first = boards[0]
    file = first.file if len({board.file for board in boards}) == 1 else SEVERAL_FILES
    results = tuple(result for board in boards for result in board.results)
    return FieldBoard(file, first.event, first.scoring, first.board, first.source, results)


def event_of(game: Game) -> str:
    """Return the event of a game; empty if it is not known."""
    return game.get("Event").strip("?")


def group_of(field: FieldBoard) -> str:
    """Return what the tables of one field have in common: the event and the board."""
    # Not the file: files from BBO have one table each.
    board = field.board
    values = (board.number, board.dealer, board.vulnerability, board.deal)
    return "\n".join([field.event, *map(str, values)])


@dataclass(frozen=True, slots=True)
class Worth:
    tables: int  # the number of tables in the field
    matchpoints: int  # two for each score beaten and one for each equal one
    butler: int  # the IMPs against the mean without the best and the worst tenth
    cross_imps: Fraction  # the mean of the IMPs against each other table

    @property
    def top(self) -> int:
        """The most matchpoints possible."""
        return 2 * (self.tables - 1)

    @property
    def percentage(self) -> float | None:
        """The matchpoints in percent of the top; None if there is no other table."""
        return 100 * self.matchpoints / self.top if self.top else None


def worths(scores: Sequence[int]) -> Mapping[int, Worth]:
    if not scores:
        return {}
    figures = zip(scores, matchpoints(scores), butler(scores), cross_imps(scores), strict=True)
    n = len(scores)
    return {score: Worth(n, points, imps, cross) for score, points, imps, cross in figures}


def _score(table: FieldTable, board: Board) -> int | None:
    if table.has_result:
        return score_ns(table.contract, table.tricks, board.vulnerability)
    return table.score


def _names(first: str, second: str) -> str:
    """Return a pair's names in a fixed order; empty unless both are known."""
    return ";".join(sorted((first, second))) if first and second else ""
