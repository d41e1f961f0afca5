"""From files of boards to the files of an analysis, in three steps:

`survey` lists what must be solved, the engine has it solved, `write_files` makes
everything else from the files and the answers. The games are read anew for each step,
so that memory does not grow with the files.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from bridge_arena.base.whole_files import replacing
from bridge_arena.board_files.problems import Problem, Report
from bridge_arena.board_files.texts import is_one_pbn
from bridge_arena.pbn.write.writer import HEADER
from bridge_arena.recorded.analysis.annotated import annotate, annotate_alone
from bridge_arena.recorded.analysis.answers import Answers
from bridge_arena.recorded.analysis.findings import Finding, find
from bridge_arena.recorded.analysis.games import Entry, in_chunks, read_entries
from bridge_arena.recorded.analysis.overview import Overview
from bridge_arena.recorded.analysis.tables import COLUMNS, row_of, write_sums
from bridge_arena.recorded.analysis.units import units_of

ANSWERS = "answers.sqlite"
TABLE = "analysis.csv"
SUMS = "players.csv"
ANNOTATED = "annotated.pbn"
REPORT = "report.html"

_CHUNK = 200


def survey(
    files: Sequence[Path],
    answers: Answers,
    report: Report,
    on_games: Callable[[int], None],
) -> None:
    """List what the files need solved.

    `report` is told of everything that cannot be used, `on_games` of games as they
    are read. Raises AnswersError.
    """
    for chunk in in_chunks(enumerate(read_entries(files, report)), _CHUNK):
        records = [entry.record for _, entry in chunk if entry.record]
        answers.want([unit for record in records for unit in units_of(record)])
        answers.add_halves(chunk)
        on_games(len(chunk))


def write_files(
    files: Sequence[Path],
    answers: Answers,
    folder: Path,
    on_games: Callable[[int], None],
) -> Overview:
    """Write everything that follows from the answers. Raises AnswersError, OSError."""
    overview = Overview()

    def report(problem: Problem) -> None:
        overview.report(str(problem))

    with ExitStack() as stack:
        paths = [stack.enter_context(replacing(folder / name)) for name in (TABLE, ANNOTATED, SUMS)]
        rows = stack.enter_context(paths[0].open("w", newline="", encoding="utf-8"))
        games = stack.enter_context(paths[1].open("wb"))
        writer = csv.DictWriter(rows, COLUMNS, restval=None, lineterminator="\n")
        writer.writeheader()
        one_file = is_one_pbn(files)
        if not one_file:
            games.write(HEADER.encode())
        for chunk in in_chunks(enumerate(read_entries(files, report)), _CHUNK):
            for finding in _findings(chunk, answers):
                overview.add(finding)
                writer.writerow(row_of(finding))
                if one_file:
                    games.write(annotate(finding).source)
                else:
                    games.write(annotate_alone(finding).source + b"\r\n")
            on_games(len(chunk))
        with paths[2].open("w", newline="", encoding="utf-8") as sums:
            write_sums(sums, overview.totals)
    from bridge_arena.recorded.analysis import page  # noqa: PLC0415  it loads matplotlib

    with replacing(folder / REPORT) as path:
        path.write_text(page.render(overview, files), encoding="utf-8")
    return overview


def _findings(chunk: Sequence[tuple[int, Entry]], answers: Answers) -> Iterator[Finding]:
    others = answers.other_rooms(chunk)
    records = [entry.record for _, entry in chunk if entry.record]
    records += others.values()
    outcomes = answers.outcomes(unit for record in records for unit in units_of(record))
    for position, entry in chunk:
        yield find(entry, outcomes, others.get(position))
