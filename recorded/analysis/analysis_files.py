"""The way from files of boards to the files of an analysis, in three steps.

`survey` lists what must be solved, the engine has it solved, and `write_files` makes everything
else from the files and the answers. The games are read again for each step, so memory does not grow
with the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path

from bridge_arena.base.whole_files import replacing
from bridge_arena.board_files.problems import Problem, Report
from bridge_arena.board_files.texts import is_one_pbn
from bridge_arena.pbn.write.writer import HEADER
from bridge_arena.recorded.analysis.annotated import annotate, annotate_alone
from bridge_arena.recorded.analysis.answers import Answers
from bridge_arena.recorded.analysis.fields import FieldWriter, alone, problems_of
from bridge_arena.recorded.analysis.findings import Finding, find
from bridge_arena.recorded.analysis.games import Entry, in_chunks, read_entries
from bridge_arena.recorded.analysis.overview import Overview
from bridge_arena.recorded.analysis.tables import COLUMNS, SUM_COLUMNS, row_of, sum_rows
from bridge_arena.recorded.analysis.units import table_unit, units_of
from bridge_arena.recorded.calls.question import call_units
from bridge_arena.recorded.field.index import FieldIndex
from bridge_arena.recorded.field.rows import BOARD_COLUMNS, FIELD_COLUMNS, PAIR_COLUMNS
from bridge_arena.recorded.field.tables import listed
from bridge_arena.recorded.frames import (
    Cell,
    Columns,
    Format,
    Frame,
    Frames,
    open_frame,
)

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
    """List what must be solved for the files.

    Args:
        index: The index of the fields, which gets the tables that were played.

    Raises:
        AnswersError: The file of answers cannot be used.
    """
    answers.begin()
    for chunk in in_chunks(enumerate(read_entries(files, report)), _CHUNK):
        records = [entry.record for _, entry in chunk if entry.record]
        boards = {at: field for at, entry in chunk if (field := listed(entry.game, entry.board))}
        units = [unit for record in records for unit in units_of(record)]
        answers.want([*units, *(table_unit(field.board.deal) for field in boards.values())])
        if calls:
            answers.want(unit for record in records for unit in call_units(record))
        answers.add_halves(chunk)
        index.add(alone(chunk))
        for field in boards.values():
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
    """Write everything that follows from the answers.

    Args:
        index: The index of the fields, as `survey` has filled it.

    Raises:
        AnswersError: The file of answers cannot be used.
        OSError: A file cannot be read or written.
    """
    overview = Overview()

    def report(problem: Problem) -> None:
        overview.report(str(problem))

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
        for chunk in in_chunks(enumerate(read_entries(files, report)), _CHUNK):
            cells = fields.add(chunk)
            for (position, _), finding in zip(
                chunk, _findings(chunk, answers, calls=calls), strict=True
            ):
                overview.add(finding)
                frames["analysis"].write(_joined(row_of(finding), cells[position]))
                if one_file:
                    games.write(annotate(finding).source)
                else:
                    games.write(annotate_alone(finding).source + b"\r\n")
            on_games(len(chunk))
        fields.finish()
        for row in sum_rows(overview.totals):
            frames["players"].write(row)
    _delete_others(folder, formats)
    from bridge_arena.recorded.analysis import page  # noqa: PLC0415  it loads matplotlib

    with replacing(folder / REPORT) as path:
        path.write_text(page.render(overview, files), encoding="utf-8")
    return overview


@contextmanager
def _frames(
    folder: Path, name: str, columns: Columns, formats: Sequence[Format]
) -> Iterator[Frame]:
    """Yield one table that is written in every format."""
    with ExitStack() as stack:
        paths = {
            kind: stack.enter_context(replacing(folder / f"{name}.{kind}")) for kind in formats
        }
        yield Frames(
            [stack.enter_context(open_frame(path, columns, kind)) for kind, path in paths.items()]
        )


def _delete_others(folder: Path, formats: Sequence[Format]) -> None:
    """Delete the tables of an earlier run in other formats, which tell of other boards."""
    for kind in set(Format).difference(formats):
        for name in FRAMES:
            (folder / f"{name}.{kind}").unlink(missing_ok=True)


def _joined(row: dict[str, Cell], more: dict[str, Cell]) -> dict[str, Cell]:
    """Return a row with more cells, and with both notes."""
    note = "; ".join(str(each["note"]) for each in (row, more) if each["note"])
    return row | more | {"note": note}


def _findings(
    chunk: Sequence[tuple[int, Entry]], answers: Answers, *, calls: bool
) -> Iterator[Finding]:
    others = answers.other_rooms(chunk)
    records = {at: entry.record for at, entry in chunk if entry.record}
    asked = {at: call_units(record) if calls else [] for at, record in records.items()}
    units = [
        unit for each in (records, others) for record in each.values() for unit in units_of(record)
    ]
    outcomes = answers.outcomes(chain(units, *asked.values()))
    for at, entry in chunk:
        yield find(entry, outcomes, others.get(at), asked.get(at, []))
