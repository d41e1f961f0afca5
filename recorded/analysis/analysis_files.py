"""The way from files of boards to the files of an analysis, in three steps.

`survey` lists what must be solved, the engine has it solved, and `write_files` makes everything
else from the files and the answers. The games are read again for each step, so memory does not grow
with the files. Fields are taken from the games as they are read, and written with their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from bridge_arena.base.files import replacing
from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files.problems import Report
from bridge_arena.board_files.texts import is_one_pbn
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import par
from bridge_arena.pbn.arena_tables import AUCTION, PLAY
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.field import TABLE, field_of
from bridge_arena.pbn.read.results import (
    OPTIMUM,
    OPTIMUM_TAGS,
    STANDINGS,
    optimum_of,
    own_scores,
    rubber_score,
    standings_of,
)
from bridge_arena.pbn.write.writer import HEADER
from bridge_arena.recorded.analysis.annotated import annotate
from bridge_arena.recorded.analysis.answers import Answers
from bridge_arena.recorded.analysis.findings import Finding, find
from bridge_arena.recorded.analysis.games import Entry, in_chunks, read_entries
from bridge_arena.recorded.analysis.overview import Overview
from bridge_arena.recorded.analysis.page import render
from bridge_arena.recorded.analysis.tables import COLUMNS, SUM_COLUMNS, row_of, sum_rows
from bridge_arena.recorded.analysis.units import table_in, table_unit, units_of
from bridge_arena.recorded.calls.question import call_units
from bridge_arena.recorded.field.findings import find_board
from bridge_arena.recorded.field.index import FieldIndex
from bridge_arena.recorded.field.overview import FieldOverview
from bridge_arena.recorded.field.rows import (
    BOARD_COLUMNS,
    FIELD_COLUMNS,
    PAIR_COLUMNS,
    board_row,
    field_rows,
    pair_row,
    worth_cells,
)
from bridge_arena.recorded.field.tables import (
    FieldBoard,
    event_of,
    group_of,
    listed,
    played,
    worths,
)
from bridge_arena.recorded.frames import Cell, Columns, Format, Write, open_frame

ANSWERS = "answers.sqlite"

FRAMES: Mapping[str, Columns] = {
    "analysis": COLUMNS,
    "players": SUM_COLUMNS,
    "field": FIELD_COLUMNS,
    "boards": BOARD_COLUMNS,
    "pairs": PAIR_COLUMNS,
}
"""The tables that are written, in each format that was asked for."""

ANNOTATED = "annotated.pbn"

REPORT = "report.html"

_CHUNK = 200

_USED = frozenset(["Auction", "Play", TABLE, OPTIMUM, *STANDINGS, "ActionTable", AUCTION, PLAY])
"""The sections that are read."""


def survey(
    files: Sequence[Path],
    answers: Answers,
    index: FieldIndex,
    report: Report,
    remark: Report,
    on_games: Callable[[int], None],
    *,
    calls: bool = False,
) -> None:
    """List what must be solved for the files, and put the tables that were played into the index.

    What cannot be used is reported; figures in a game that cannot be right are remarks. Raises
    AnswersError.
    """
    answers.begin()
    for chunk in in_chunks(enumerate(read_entries(files, report)), _CHUNK):
        records = [entry.record for _, entry in chunk if entry.record]
        fields = [field for _, entry in chunk if (field := listed(entry.game, entry.board))]
        units = [unit for record in records for unit in units_of(record)]
        answers.want([*units, *(table_unit(field.board.deal) for field in fields)])
        if calls:
            answers.want(unit for record in records for unit in call_units(record))
        answers.add_halves(chunk)
        index.add(alone(chunk))
        for field in fields:
            index.ways.add(field)
        for _, entry in chunk:
            for problem in problems_of(entry):
                remark(problem)
        on_games(len(chunk))


def write_files(
    files: Sequence[Path],
    answers: Answers,
    index: FieldIndex,
    folder: Path,
    formats: Sequence[Format],
    on_games: Callable[[int], None],
    *,
    calls: bool = False,
) -> Overview:
    """Write what follows from answers and index, after `survey`. Raises AnswersError, OSError."""
    overview = Overview()

    with ExitStack() as stack:
        frames = {
            name: stack.enter_context(_frames(folder, name, columns, formats))
            for name, columns in FRAMES.items()
        }
        annotated = stack.enter_context(replacing(folder / ANNOTATED))
        games = stack.enter_context(annotated.open("wb"))
        fields = FieldWriter(index, answers, overview.fields, frames)
        one_file = is_one_pbn(files)
        if not one_file:
            games.write(HEADER.encode())
        for chunk in in_chunks(enumerate(read_entries(files, overview.report)), _CHUNK):
            cells = fields.add([entry for _, entry in chunk])
            findings = _findings(chunk, answers, calls=calls)
            for finding, more in zip(findings, cells, strict=True):
                overview.add(finding)
                frames["analysis"](_joined(row_of(finding), more))
                games.write(annotate(finding, is_alone=not one_file).source)
                if not one_file:
                    games.write(b"\r\n")
            on_games(len(chunk))
        fields.finish()
        for row in sum_rows(overview.totals):
            frames["players"](row)
    _delete_others(folder, formats)
    with replacing(folder / REPORT) as path:
        path.write_text(render(overview, files), encoding="utf-8")
    return overview


@contextmanager
def _frames(
    folder: Path, name: str, columns: Columns, formats: Sequence[Format]
) -> Iterator[Write]:
    """Yield one table that is written in every format."""
    with ExitStack() as stack:
        writes: list[Write] = []
        for kind in formats:
            path = stack.enter_context(replacing(folder / f"{name}.{kind}"))
            writes.append(stack.enter_context(open_frame(path, columns, kind)))

        def write(row: Mapping[str, Cell]) -> None:
            for write_to_format in writes:
                write_to_format(row)

        yield write


def _delete_others(folder: Path, formats: Sequence[Format]) -> None:
    """Delete the tables of an earlier run in other formats, which tell of other boards."""
    for kind in set(Format).difference(formats):
        for name in FRAMES:
            (folder / f"{name}.{kind}").unlink(missing_ok=True)


def _joined(row: dict[str, Cell], more: dict[str, Cell]) -> dict[str, Cell]:
    note = "; ".join(str(cells["note"]) for cells in (row, more) if cells["note"])
    return row | more | {"note": note}


def _findings(
    chunk: Sequence[tuple[int, Entry]], answers: Answers, *, calls: bool
) -> Iterator[Finding]:
    others = answers.other_rooms(chunk)
    records = [entry.record for _, entry in chunk if entry.record]
    questions = {at: call_units(entry.record) for at, entry in chunk if calls and entry.record}
    units = (unit for record in (*records, *others.values()) for unit in units_of(record))
    outcomes = answers.outcomes(chain(units, *questions.values()))
    for at, entry in chunk:
        yield find(entry, outcomes, others.get(at), questions.get(at, []))


def problems_of(entry: Entry) -> Iterator[Problem]:
    """Yield the faults in a game's figures of its field, its score and perfect play."""
    game = entry.game
    yield from filter(None, [field_of(game).problem])
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
            field = played(entry.game, entry.record, entry.file_score)
            if field is not None:
                yield position, field


@dataclass(slots=True)
class FieldWriter:
    """A writer of the fields, which is given every game in order and then finished."""

    index: FieldIndex
    answers: Answers
    overview: FieldOverview  # is added to
    frames: Mapping[str, Write]  # the tables to write, by name

    def add(self, entries: Sequence[Entry]) -> list[dict[str, Cell]]:
        """Write the fields that these games list, and return what to add to the row of each."""
        boards = [listed(entry.game, entry.board) for entry in entries]
        self._write([board for board in boards if board is not None and board.results])
        fields = [
            played(entry.game, entry.record, entry.file_score) if entry.record else None
            for entry in entries
        ]
        among = self.index.worths(group_of(field) for field in fields if field is not None)
        notes = self._oracle_notes(entries, boards)
        rows: list[dict[str, Cell]] = []
        for entry, board, field, note in zip(entries, boards, fields, notes, strict=True):
            game = entry.game
            self._count_unused(game, board)
            for standing in standings_of(game):
                self.overview.pairs.add_standing(game.file, event_of(game), standing)
            row = _own_cells(entry) | {"note": note}
            if field is not None:
                worth_of = worths(board.scores) if board else among.get(group_of(field), {})
                worth = worth_of.get(field.results[0].score)
                row |= worth_cells(worth) if worth else {}
            rows.append(row)
        return rows

    def finish(self) -> None:
        """Write the boards that were played as games of their own, and the pairs."""
        for board in self.index.boards():
            self.index.ways.add(board)
        for board in self.index.boards():
            self._write([board])
        ranked = set()
        for ranking in self.overview.pairs.rankings():
            for pair in ranking:
                self.frames["pairs"](pair_row(pair))
                ranked.add(pair.own)
        lost = self.overview.pairs.standings - ranked
        self.overview.unused["rows of standings of no pair at the tables"] += len(lost)
        for tag, count in self.overview.oracle.unsolved.items():
            self.overview.unused[f"{tag} of boards without a result"] += count

    def _write(self, boards: Sequence[FieldBoard]) -> None:
        tables = self._tables(field.board for field in boards)
        for field in boards:
            finding = find_board(field, tables.get(field.board.deal), self.index.ways)
            self.overview.add(finding)
            self.frames["boards"](board_row(finding))
            for row in field_rows(finding):
                self.frames["field"](row)

    def _oracle_notes(
        self, entries: Sequence[Entry], fields: Sequence[FieldBoard | None]
    ) -> list[str]:
        """Return a note on each file's double-dummy figures that the solver contradicts, or ""."""
        boards: dict[int, Board | None] = {}  # of the games that have such figures
        for at, (entry, field) in enumerate(zip(entries, fields, strict=True)):
            if any(entry.game.get(tag) for tag in OPTIMUM_TAGS):
                of_record = entry.record.board if entry.record else None
                boards[at] = field.board if field else of_record
        tables = self._tables(filter(None, boards.values()))
        notes = [""] * len(entries)
        for at, board in boards.items():
            table = tables.get(board.deal) if board else None
            best = par(table, board.dealer, board.vulnerability) if board and table else None
            notes[at] = self.overview.oracle.add(entries[at].game, table, best)
        return notes

    def _tables(self, boards: Iterable[Board]) -> dict[Deal, DoubleDummyTable]:
        """Return the double-dummy tables of those boards that were solved."""
        deals = {table_unit(board.deal): board.deal for board in boards}
        outcomes = self.answers.outcomes(deals).items()
        return {
            deals[unit]: table_in(outcome.answer) for unit, outcome in outcomes if outcome.answer
        }

    def _count_unused(self, game: Game, board: FieldBoard | None) -> None:
        unused = self.overview.unused
        for section in game.sections():
            if section.name not in _USED:
                unused[section.name] += 1
        if game.tag(TABLE) is not None:
            self.overview.leave_out(field_of(game))
            unused[f"{TABLE} without a board"] += board is None


def _own_cells(entry: Entry) -> dict[str, Cell]:
    declarer = _declarer(entry.record)
    figures, _ = own_scores(entry.game, declarer)
    cells: dict[str, Cell] = {
        f"file_{name.lower()}": float(figure) for name, figure in figures.items()
    }
    with suppress(ValueError):
        points = sorted(rubber_score(entry.game, declarer).items())
        texts = [f"{side} {above}/{below}" for side, (above, below) in points]
        cells["file_rubber"] = " ".join(texts) or None
    return cells


def _declarer(record: BoardRecord | None) -> Seat | None:
    return record.contract.declarer if record and record.contract else None
