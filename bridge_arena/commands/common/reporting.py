"""The report of an event, printed and written to its files, as several commands share it."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path

from bridge_arena.commands.common.console import output_console
from bridge_arena.commands.common.errors import FailedError, UnusableError, cannot_write
from bridge_arena.commands.common.loading import load_store, open_store
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.commands.common.solved_boards import solved_boards
from bridge_arena.reports.common.costs import CostsOf, without_costs
from bridge_arena.reports.common.replay_pages import FOLDER
from bridge_arena.reports.leaderboard.figures import Leaderboard, leaderboard
from bridge_arena.reports.leaderboard.report import write_leaderboard
from bridge_arena.reports.leaderboard.terminal import print_leaderboard
from bridge_arena.reports.match.figures import match_figures
from bridge_arena.reports.match.report import write_match_report
from bridge_arena.reports.match.terminal import print_report
from bridge_arena.tournaments import STORE, EventResults, Format, Store, StoreError
from bridge_arena.web.replays.folder import boards_of, write_match_replays, write_replays


def report_folder(folder: Path, *, calls: bool = False) -> EventResults:
    """Write an event's files from the store in its folder, and print the report.

    Raises UnusableError and FailedError.
    """
    with closing(open_store(folder / STORE)) as store:
        return report_store(store, folder, calls=calls)


def report_store(store: Store, folder: Path, *, calls: bool = False) -> EventResults:
    """Write an event's files from any store, and print the report.

    Raises UnusableError and FailedError.
    """
    try:
        results = load_store(store, store.write_pbn(folder))
        if not results.played:
            raise UnusableError(f"{folder}: no board of the event is played yet")
        report_results(results, folder, calls=calls)
    except StoreError as error:
        raise UnusableError(str(error)) from None
    except BrokenPipeError:
        raise  # the reader has closed the pipe
    except OSError as error:
        again = shlex.join(["arena", "report", str(folder)])
        text = f"{cannot_write(error, folder)}; all boards are kept, go on with: {again}"
        raise FailedError(text) from None
    return results


def report_results(results: EventResults, out: Path | None, *, calls: bool = False) -> None:
    """Print the report of an event, and write its files.

    Raises ValueError, OSError and UnusableError.

    Args:
        out: The folder for the files; None to write none.
    """
    if calls and results.event.format is not Format.MATCH:
        raise UnusableError("--calls is for the report of a match")
    if calls and out is None:
        raise UnusableError("--calls takes --out: what calls cost is kept there")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    if results.event.format is Format.MATCH:
        costs_of: CostsOf = without_costs
        if calls and out is not None:
            from bridge_arena.commands.common.call_costs import call_costs

            costs_of = call_costs(results, out)
        figures = match_figures(results, costs_of)
        match = figures.match
        try:  # before the files, as many boards take a while
            print_report(figures, output_console(), out)
        finally:  # whoever reads may have closed the pipe: the files are due nonetheless
            if out is not None:
                with LongWork() as work:
                    write_match_replays(
                        results.event,
                        match,
                        out / FOLDER,
                        costs_of,
                        on_board=work.begin("writing boards", len(match.boards), "boards").advance,
                        figures_of=solved_boards(work),
                    )
                write_match_report(figures, out)
        return
    board = leaderboard([results])
    try:
        print_leaderboard(board, output_console())
    finally:
        if out is not None:
            with LongWork() as work:
                write_boards(board, out, work, is_private=True)
            write_leaderboard(board, out)


def write_boards(board: Leaderboard, out: Path, work: LongWork, *, is_private: bool) -> None:
    """Write the replays of a leaderboard beside it, with progress. Raises OSError."""
    writing = work.begin("writing boards", boards_of(board), "boards")
    write_replays(
        board,
        out / FOLDER,
        is_private=is_private,
        on_board=writing.advance,
        figures_of=solved_boards(work),
    )
