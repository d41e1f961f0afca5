"""`arena report`: the report of a match, from its folder or from a PBN file alone."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from bridge.record import BoardRecord
from pbn.model import PbnError, Problem
from pbn.records import read_records
from tournaments.commands.errors import FailedError, UnusableError
from tournaments.report.figures import MatchFigures, Timings
from tournaments.report.pairing import by_match, pair_boards
from tournaments.report.terminal import print_report
from tournaments.results import (
    STORE,
    analysed_figures,
    stored_records,
    stored_timings,
    write_pbn,
    write_report,
)
from tournaments.store import Store, StoreError


def report(
    source: Annotated[Path, typer.Argument(help="a match's folder, or a PBN file")],
    out: Annotated[
        Path | None, typer.Option(help="folder for summary.json and report.html of a PBN file")
    ] = None,
) -> None:
    """Report a match again.

    From its folder, whose files are made again; or from a PBN file alone, which gives the
    same figures but for the timings.
    """
    if source.is_dir():
        if out is not None:
            raise UnusableError(f"the report of a match is written to its folder, {source}")
        report_folder(source)
    else:
        _report_file(source, out)


def report_folder(folder: Path) -> MatchFigures:
    """Make a match's files from its store, and print the report.

    Raises UnusableError where there is no match, or none of its boards is played.
    """
    try:
        store = Store.open(folder / STORE)
        try:
            write_pbn(store, folder)
            records = stored_records(store)
            timings = stored_timings(store)
        finally:
            store.close()
    except (StoreError, OSError) as error:
        raise UnusableError(str(error)) from None
    if not records:
        raise UnusableError(f"{folder}: no board of the match is played yet")
    figures = _figures(records, timings)
    write_report(figures, folder)
    print_report(figures, Console())
    return figures


def _report_file(path: Path, out: Path | None) -> None:
    problems: list[Problem] = []
    try:
        matches = by_match(read_records(path, problems))
    except PbnError as error:
        raise UnusableError(str(error)) from None
    for problem in problems:
        print(f"arena: {problem}", file=sys.stderr)
    if not any(record.is_finished for records in matches.values() for record in records):
        raise UnusableError(f"{path}: no game is a record of play")
    if out is not None and len(matches) > 1:
        raise UnusableError(f"{path} holds {len(matches)} matches: --out takes one")
    for records in matches.values():
        try:
            figures = _figures(records, None)
        except ValueError as error:
            raise UnusableError(f"{path}: {error}") from None
        print_report(figures, Console())
        if out is not None:
            try:
                out.mkdir(parents=True, exist_ok=True)
                write_report(figures, out)
            except OSError as error:
                raise UnusableError(f"cannot write {out}: {error.strerror}") from None
    if problems:
        raise FailedError(f"{path}: {len(problems)} games could not be read")


def _figures(records: Sequence[BoardRecord], timings: Timings | None) -> MatchFigures:
    """Analyse and add up, with a progress bar."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("double-dummy analysis", total=2 * len(pair_boards(records)[0]))
        return asyncio.run(analysed_figures(records, timings, lambda: progress.advance(task)))
