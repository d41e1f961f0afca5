"""`arena report`: the report of an event, from its folder, a database or a PBN file."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import (
    FailedError,
    UnusableError,
    cannot_write,
)
from bridge_arena.commands.common.options import WithoutRulings

if TYPE_CHECKING:
    from bridge_arena.base.recorded_text import Problem


def report(
    source: Annotated[str, typer.Argument(help="the event's folder, PBN file, or database URL")],
    out: Annotated[
        Path | None,
        typer.Option(
            help="folder for the files of the report; not for an event's folder", metavar="DIR"
        ),
    ] = None,
    calls: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--calls", help="also find which call of each board cost most; only for a match"
        ),
    ] = False,
    without_rulings: WithoutRulings = False,  # noqa: FBT002
) -> None:
    """Report a match or a tournament again.

    Given the folder of an event, the command writes the files of the report in it anew. A PBN file
    of the event gives the same figures. For results in a database, give its URL, or the folder
    with the PBN file. With --without-rulings, the report of a folder is only printed, or written to
    the folder of --out. With --calls, the costs are kept in the folder: if the command is
    interrupted, the same command goes on where it stopped.

    Examples:
        arena report runs/first
        arena report runs/first --calls
        arena report match.pbn --out report
    """
    from bridge_arena.commands.common.signals import going_on_with

    again = ["arena", "report", source, *(["--out", str(out)] if out else [])]
    again += ["--without-rulings"] * without_rulings
    with going_on_with(again + ["--calls"] * calls):
        _report(source, out, calls=calls, without_rulings=without_rulings)


def _report(source: str, out: Path | None, *, calls: bool, without_rulings: bool) -> None:
    from bridge_arena.commands.common.folders import alone
    from bridge_arena.commands.common.reporting import report_folder
    from bridge_arena.tournaments.schedule.event_files import pbn_in

    folder = Path(source)
    if folder.is_dir() and not without_rulings:
        if out is not None:
            raise UnusableError(f"the report of an event is written to its folder, {source}")
        out = folder
    with nullcontext() if out is None else alone(out):
        if folder.is_dir() and pbn_in(folder) is None and not without_rulings:
            report_folder(folder, calls=calls)
        else:
            _report_records(source, out, calls=calls, without_rulings=without_rulings)


def _report_records(source: str, out: Path | None, *, calls: bool, without_rulings: bool) -> None:
    from bridge_arena.commands.common.loading import load
    from bridge_arena.commands.common.reporting import report_results
    from bridge_arena.tournaments.store.database import is_url

    problems: list[Problem] = []
    every = [
        replace(results, counts_rulings=not without_rulings) for results in load(source, problems)
    ]
    records = [board.record for results in every for board in results.played]
    if not any(record.is_done for record in records):
        raise UnusableError(f"{source}: no game is a record of play")
    if out is not None and len(every) > 1:
        what = "events" if is_url(source) else "matches"
        raise UnusableError(f"{source} holds {len(every)} {what}: --out takes one")
    for results in every:
        try:
            report_results(results, out, calls=calls)
        except ValueError as error:
            raise UnusableError(f"{source}: {error}") from None
        except OSError as error:
            raise UnusableError(cannot_write(error, out)) from None
    if problems:
        raise FailedError(f"{source}: {plural(len(problems), 'game')} could not be read")
