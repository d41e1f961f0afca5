"""`arena leaderboard`: the ranking and comparison of the entries of one or more events."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import FailedError, UnusableError, unusable
from bridge_arena.commands.common.options import WithoutRulings

if TYPE_CHECKING:
    from bridge_arena.base.recorded_text import Problem


def leaderboard(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="folders of events, PBN files, or database URLs"),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="folder for leaderboard.html, .csv and .json, and the replays", metavar="DIR"
        ),
    ] = None,
    *,
    apart: Annotated[
        bool,
        typer.Option(
            "--apart",
            help="keep bots of one name apart that differ in definition or version",
        ),
    ] = False,
    anew: Annotated[
        bool,
        typer.Option("--anew", help="work out everything from the records, not from kept tallies"),
    ] = False,
    without_rulings: WithoutRulings = False,
) -> None:
    """Rank and compare the entries of one event or of many.

    Entries of the same name count as one, and it is said where they are different bots: where their
    definitions in the event files differ, or the versions that played. With --out, every board
    can be replayed in a browser.

    Examples:
        arena leaderboard runs/cup --out board
        arena leaderboard runs/one runs/two other.pbn --apart
    """
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.commands.common.folders import alone
    from bridge_arena.commands.common.loading import Extent, load_once
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.commands.common.reporting import write_boards
    from bridge_arena.reports.leaderboard import figures
    from bridge_arena.reports.leaderboard.report import PAGE, write_leaderboard
    from bridge_arena.reports.leaderboard.terminal import print_leaderboard
    from bridge_arena.tournaments import StoreError

    problems: list[Problem] = []
    # The replays show every record.
    extent = Extent.ANEW if anew else Extent.TALLIED if out is None else Extent.VALUED
    results = load_once(sources, problems, extent)
    if without_rulings:
        results = [replace(of_event, counts_rulings=False) for of_event in results]
    if not results:
        raise UnusableError("nothing to rank: no game could be read")
    with unusable(StoreError, ValueError, writing=out):
        with LongWork() as work:
            work.begin("figures")
            board = figures.leaderboard(results, apart=apart)
        print_leaderboard(board, output_console())
        if out is not None:
            with alone(out), LongWork() as work:
                write_boards(board, out, work, is_private=False)
                write_leaderboard(board, out)
            print(f"leaderboard in {out / PAGE}")
    if problems:
        raise FailedError(f"{plural(len(problems), 'game')} could not be read, see above")
