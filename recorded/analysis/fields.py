"""The fields of games: taken from the games as they are read, and written with their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.par import par
from bridge_arena.pbn.model import Game, Problem
from bridge_arena.pbn.read.field import TABLE, field_of
from bridge_arena.pbn.read.optimum import TABLE as OPTIMUM
from bridge_arena.pbn.read.optimum import TAGS as OPTIMUM_TAGS
from bridge_arena.pbn.read.optimum import optimum_of
from bridge_arena.pbn.read.own_scores import own_scores, rubber_score
from bridge_arena.pbn.read.standings import TABLES as STANDINGS
from bridge_arena.pbn.read.standings import standings_of
from bridge_arena.pbn.times import AUCTION, PLAY
from bridge_arena.recorded.analysis.answers import Answers
from bridge_arena.recorded.analysis.games import Entry
from bridge_arena.recorded.analysis.units import table_in, table_unit
from bridge_arena.recorded.field.findings import find_board
from bridge_arena.recorded.field.index import FieldIndex
from bridge_arena.recorded.field.overview import FieldOverview
from bridge_arena.recorded.field.rows import board_row, field_rows, pair_row, worth_cells
from bridge_arena.recorded.field.tables import FieldBoard, event_of, group_of, listed, played
from bridge_arena.recorded.field.worth import worths
from bridge_arena.recorded.frames import Cell, Frame

_USED = frozenset(["Auction", "Play", TABLE, OPTIMUM, *STANDINGS, "ActionTable", AUCTION, PLAY])
"""The sections that are read."""


def problems_of(entry: Entry) -> Iterator[Problem]:
    """Yield the faults in a game's figures of its field, its score and perfect play."""
    game = entry.game
    problem = field_of(game).problem
    if problem is not None:
        yield problem
    yield from optimum_of(game).problems
    declarer = _declarer(entry.record)
    yield from own_scores(game, declarer)[1]
    try:
        rubber_score(game, declarer)
    except ValueError as error:
        yield game.problem(str(error), "ScoreRubber")


def alone(chunk: Sequence[tuple[int, Entry]]) -> Iterator[tuple[int, FieldBoard]]:
    """Yield the tables of games that do not list their field, with their places."""
    for position, entry in chunk:
        if entry.record is not None and entry.game.tag(TABLE) is None:
            field = played(entry.game, entry.record, entry.told_score)
            if field is not None:
                yield position, field


class FieldWriter:
    """A writer of the fields, which is given every game in order and then finished.

    Args:
        index: The index of the fields.
    """

    def __init__(
        self,
        index: FieldIndex,
        answers: Answers,
        overview: FieldOverview,
        frames: Mapping[str, Frame],
    ) -> None:
        self._index = index
        self._answers = answers
        self._overview = overview
        self._frames = frames

    def add(self, chunk: Sequence[tuple[int, Entry]]) -> dict[int, dict[str, Cell]]:
        """Write the fields that these games list."""
        boards = {position: listed(entry.game, entry.board) for position, entry in chunk}
        self._write([board for board in boards.values() if board is not None and board.results])
        fields = {
            position: field
            for position, entry in chunk
            if entry.record is not None
            and (field := played(entry.game, entry.record, entry.told_score)) is not None
        }
        against = self._oracle_notes(chunk, boards)
        among = self._index.worths(group_of(field) for field in fields.values())
        cells: dict[int, dict[str, Cell]] = {}
        for position, entry in chunk:
            self._count_unused(entry.game, boards[position])
            for standing in standings_of(entry.game):
                event = event_of(entry.game)
                self._overview.pairs.add_standing(entry.game.file, event, standing)
            row: dict[str, Cell] = {}
            field, board = fields.get(position), boards[position]
            if field is not None:
                found = worths(board.scores) if board else among.get(group_of(field), {})
                worth = found.get(field.results[0].score)
                row |= worth_cells(worth) if worth else {}
            cells[position] = row | _own_cells(entry) | {"note": against.get(position, "")}
        return cells

    def finish(self) -> None:
        """Write the boards that were played as games of their own, and the pairs."""
        for board in self._index.boards():
            self._index.ways.add(board)
        for board in self._index.boards():
            self._write([board])
        found = set()
        for ranking in self._overview.pairs.rankings():
            for pair in ranking:
                self._frames["pairs"].write(pair_row(pair))
                found.add(pair.own)
        lost = self._overview.pairs.standings - found
        self._overview.unused["rows of standings of no pair at the tables"] += len(lost)
        for tag, count in self._overview.oracle.unsolved.items():
            self._overview.unused[f"{tag} of boards without a result"] += count

    def _write(self, boards: Sequence[FieldBoard]) -> None:
        outcomes = self._answers.outcomes(table_unit(field.board.deal) for field in boards)
        for field in boards:
            outcome = outcomes.get(table_unit(field.board.deal))
            table = table_in(outcome.answer) if outcome and outcome.answer else None
            finding = find_board(field, table, self._index.ways)
            self._overview.add(finding)
            self._frames["boards"].write(board_row(finding))
            for row in field_rows(finding):
                self._frames["field"].write(row)

    def _oracle_notes(
        self, chunk: Sequence[tuple[int, Entry]], listed_boards: Mapping[int, FieldBoard | None]
    ) -> dict[int, str]:
        """Return notes on the file's double-dummy figures that the solver contradicts."""
        games: dict[int, tuple[Game, Board | None]] = {}
        for position, entry in chunk:
            if any(entry.game.get(tag) for tag in OPTIMUM_TAGS):
                field = listed_boards[position]
                of_record = entry.record.board if entry.record else None
                games[position] = entry.game, field.board if field else of_record
        units = [table_unit(board.deal) for _, board in games.values() if board]
        outcomes = self._answers.outcomes(units)
        notes: dict[int, str] = {}
        for position, (game, board) in games.items():
            outcome = outcomes.get(table_unit(board.deal)) if board else None
            if board is None or outcome is None or not outcome.answer:
                self._overview.oracle.add(game, None, None)
                continue
            table = table_in(outcome.answer)
            best = par(table, board.dealer, board.vulnerability)
            notes[position] = self._overview.oracle.add(game, table, best)
        return notes

    def _count_unused(self, game: Game, board: FieldBoard | None) -> None:
        unused = self._overview.unused
        for section in game.sections():
            if section.name not in _USED:
                unused[section.name] += 1
        if game.tag(TABLE) is not None:
            self._overview.leave_out(field_of(game))
            unused[f"{TABLE} without a board"] += board is None


def _own_cells(entry: Entry) -> dict[str, Cell]:
    """Return the file's own figures of one table."""
    declarer = _declarer(entry.record)
    figures, _ = own_scores(entry.game, declarer)
    cells: dict[str, Cell] = {
        f"file_{name.lower()}": float(figure) for name, figure in figures.items()
    }
    try:
        points = rubber_score(entry.game, declarer)
    except ValueError:
        points = {}
    if points:
        texts = (f"{side} {above}/{below}" for side, (above, below) in sorted(points.items()))
        cells["file_rubber"] = " ".join(texts)
    return cells


def _declarer(record: BoardRecord | None) -> Seat | None:
    return record.contract.declarer if record and record.contract else None
