"""`arena pbn`: what PBN files are worth, and what is in them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from bridge_arena.base.plural import plural
from bridge_arena.commands.common.each_file import Workers, each_file
from bridge_arena.commands.common.errors import FailedError, UnusableError
from bridge_arena.commands.common.pbn_format import format_files
from bridge_arena.pbn.model import PbnError
from bridge_arena.pbn.read.meaning import deviations_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.survey import Survey
from bridge_arena.pbn.strict.verdict import FileVerdict, Severity, verdict_of

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="PBN files")]

SHOWN = 20
"""Reasons printed for each file, unless all are asked for."""

pbn = typer.Typer(help="Check, convert and summarise PBN files.", rich_markup_mode=None)
pbn.command("format")(format_files)


@pbn.command("check")
def check(
    files: Files,
    *,
    every: Annotated[
        bool, typer.Option("--all", help=f"print all reasons, not the first {SHOWN} of a file")
    ] = False,
    workers: Workers = 1,
) -> None:
    """Say how well files keep to PBN 2.1, and why: OK, warning, error or severe.

    Exit status: 0 where all files are clean or have warnings, 1 where one has errors
    or cannot be read, 2 where none can be read.
    """
    worst = Severity.CLEAN
    unread = 0
    for checked in each_file(partial(_check, every=every), files, workers):
        if checked.error:
            unread += 1
            print(f"arena: {checked.error}", file=sys.stderr)
        worst = max(worst, checked.severity)
        for line in checked.lines:
            print(line)
    if unread == len(files):
        raise UnusableError("no file could be read")
    if unread or worst > Severity.WARNING:
        raise FailedError("not all files keep to the standard")


@dataclass(frozen=True)
class _Checked:
    """What is printed of a file; `error`: why it could not be read, else empty."""

    severity: Severity
    lines: list[str]
    error: str = ""


def _check(path: Path, *, every: bool) -> _Checked:
    try:
        verdict = verdict_of(path, keep=sys.maxsize if every else SHOWN)
        first = f"{path}: {verdict} ({plural(verdict.games, 'game')})"
        return _Checked(verdict.severity, [first, *_reasons(path, verdict, every=every)])
    except PbnError as error:
        return _Checked(Severity.CLEAN, [], str(error))


def _reasons(path: Path, verdict: FileVerdict, *, every: bool) -> Iterator[str]:
    """The findings, then what is odd about the bridge."""
    for number, finding in verdict.findings:
        yield f"  {path}:{finding.line}: game {number}: {finding.severity}: {finding.reason}"
    if verdict.left_out:
        yield f"  {verdict.left_out} more (--all prints them)"
    deviations = (
        deviation
        for game in read_games(path)
        for deviation in deviations_of(game)
        if deviation.is_error
    )
    for deviation in deviations if every else islice(deviations, SHOWN):
        yield f"  {deviation} [{deviation.kind}]"
    rest = sum(1 for _ in deviations)
    if rest:
        yield f"  {rest} more deviations of auction, play and result (--all prints them)"


@pbn.command("info")
def info(
    files: Files,
    *,
    problems: Annotated[bool, typer.Option(help="print every problem too")] = False,
    workers: Workers = 1,
) -> None:
    """Sum up what is in files: games, deals, events, players, auctions, plays, problems.

    Exit status: 1 where a game has errors or a file cannot be read, 2 where none can
    be read.
    """
    survey = Survey()
    unread = 0
    with _progress(files) as advance:
        # Another process cannot move the progress bar while it reads.
        by = advance.by if workers == 1 else None
        found = each_file(partial(_survey, problems=problems, advance=by), files, workers)
        for path, surveyed in zip(files, found, strict=True):
            for line in surveyed.problems:
                print(line)
            if surveyed.error:
                unread += 1
                print(f"arena: {surveyed.error}", file=sys.stderr)
            survey.add(surveyed.survey)
            if by is None and path.is_file():
                advance.by(path.stat().st_size)
    if unread == len(files):
        raise UnusableError("no file could be read")
    for name, value in _lines(survey):
        print(f"{name:<26}{value:>10,}")
    if unread or survey.errors:
        bad, missing = plural(survey.errors, "game"), plural(unread, "file")
        raise FailedError(f"{bad} with errors, {missing} not read")


@dataclass(frozen=True)
class _Surveyed:
    """What is in a file, its problems where they are to be printed, and why it could not be
    read, or not to its end; else empty."""

    survey: Survey
    problems: list[str]
    error: str = ""


def _survey(path: Path, *, problems: bool, advance: Callable[[int], None] | None) -> _Surveyed:
    survey = Survey()
    lines: list[str] = []
    try:
        lines.extend(str(problem) for problem in survey.add_file(path, advance) if problems)
    except PbnError as error:
        return _Surveyed(survey, lines, str(error))
    return _Surveyed(survey, lines)


def _lines(survey: Survey) -> Iterable[tuple[str, int]]:
    yield "files", survey.files
    yield "games", survey.games
    yield "  complete records", survey.records
    yield "  with auction", survey.auctions
    yield "  with play", survey.plays
    yield "  with errors", survey.errors
    yield "deals", len(survey.deals)
    yield "events", len(survey.events)
    yield "players", len(survey.players)
    for kind, count in survey.by_kind():
        yield f"  {kind}", count


class _Advance:
    """Moves the progress bar by bytes read."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._task = progress.add_task("reading", total=total)

    def by(self, size: int) -> None:
        self._progress.advance(self._task, size)


@contextmanager
def _progress(files: Iterable[Path]) -> Iterator[_Advance]:
    """A progress bar on terminals, nothing elsewhere."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    total = sum(path.stat().st_size for path in files if path.is_file())
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        yield _Advance(progress, total)
