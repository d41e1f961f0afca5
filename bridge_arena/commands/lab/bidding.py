"""Experiments in bidding: set up, run to their end, and told."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path

from bridge_arena.base.concurrency import processors
from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.base.wording import plural
from bridge_arena.commands.common.console import output_console, warn
from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    cannot_write,
    unusable,
)
from bridge_arena.commands.common.options import given_words, resume_command
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.commands.common.signals import sigterm_as_ctrl_c, stoppable
from bridge_arena.commands.lab import BOARDS
from bridge_arena.commands.train.common import deal_files
from bridge_arena.lab import wording
from bridge_arena.lab.apart import run_apart
from bridge_arena.lab.bidders import Bidder, BidderError, parse_bidders
from bridge_arena.lab.experiment import DealFile, Experiment, Folder, FolderError, Part
from bridge_arena.lab.figures import LabFigures, lab_figures
from bridge_arena.lab.report import PAGE, write_lab_files
from bridge_arena.lab.run import AHEAD, FailedBidderError, Stopping, Submit, run, solve
from bridge_arena.lab.terminal import print_figures
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.solved_deals import SolvedDealsError, count
from bridge_arena.reports.common.replay_pages import FOLDER, LIST
from bridge_arena.tournaments import LOG
from bridge_arena.tournaments.statistics.sequential import Sprt, Verdict
from bridge_arena.web.board.document import Link
from bridge_arena.web.replays.folder import ReplayFolder
from bridge_arena.web.replays.listing import rows_of
from bridge_arena.web.replays.of_files import replays_of_records


def new_experiment(
    bidders: list[str],
    boards: int | None,
    seed: int | None,
    deals: list[Path],
    sprt: str | None,
    leader: str | None,
    out: Path,
) -> Folder:
    """Set up an experiment in a folder. Raises UnusableError.

    Without a seed it has one at random, and without a leader no scoring bracket.
    """
    with unusable(BidderError, SolvedDealsError, ValueError, reading=True):
        if len(bidders) < 2:
            raise UnusableError(
                "name two bots or more, or --resume an experiment (arena lab --help)"
            )
        *arms, opponent = parse_bidders(bidders)
        if sprt is not None:
            Sprt.parse(sprt)
            if len(arms) > 2:
                raise UnusableError("--sprt: a sequential test tells of one bot, or of two apart")
        paths = [file for path in deals for file in deal_files(path)]
        if paths:
            there = count(paths)
            if boards is not None and boards > there:
                raise UnusableError(f"--boards {boards}: the files have {plural(there, 'deal')}")
            boards = boards or there
        files = tuple(map(DealFile.of, paths))
        chosen = secrets.randbelow(2**31) if seed is None else seed
        led_by = None if leader is None else Bidder.parse(leader)
        if led_by is not None and led_by.is_apart:
            raise UnusableError(f"--leads {leader}: a bot that ships, or FILE.py:CLASS")
        experiment = Experiment(
            tuple(arms), opponent, boards or BOARDS, chosen, files, sprt, led_by
        )
    with unusable(FolderError, writing=out):
        return Folder.new(out, experiment)


def open_experiment(path: Path) -> Folder:
    """Open the folder of an experiment. Raises UnusableError."""
    with unusable(FolderError, reading=True):
        folder = Folder.open(path)
    experiment = folder.experiment
    leader = () if experiment.leader is None else (experiment.leader,)
    bidders = (*experiment.arms, experiment.opponent, *leader)
    changed: list[object] = [bidder.spec for bidder in bidders if bidder.has_changed]
    changed += [file.path for file in experiment.deals if file.has_changed]
    if changed:
        raise UnusableError(
            f"{changed[0]} has changed since {path} was begun: choose another --out"
        )
    return folder


def bid(folder: Folder, workers: int | None, dask: str, again: str, stop: Stop) -> None:
    """Do what is left of an experiment until the order to stop, and report it.

    Without a number of workers there is one for each processor; `again` is the command line that
    goes on after an interruption. Raises UnusableError, FailedError and InterruptedCommandError.
    """
    print(_headline(folder.experiment))
    try:
        with sigterm_as_ctrl_c(), LongWork() as work:
            done, verdict = _run(folder, workers, dask, work, stop)
            work.begin("figures")
            figures = lab_figures(folder.experiment, done, solve, verdict)
            work.begin("pages")
            write_lab_files(figures, folder.path)
            write_lab_replays(figures, folder.path)
    except KeyboardInterrupt:
        raise InterruptedCommandError(f"interrupted; go on with: {again}") from None
    except StoppedError:
        raise InterruptedCommandError(f"stopped; go on with: {again}") from None
    except (FailedBidderError, OracleError) as error:
        folder.discard()
        raise FailedError(f"{error}{_what_is_left(folder, again)}") from None
    except FailedError:
        folder.discard()
        raise
    except (FolderError, SolvedDealsError) as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(cannot_write(error, folder.path)) from None
    print_figures(figures, output_console())
    print(f"results in {folder.path / PAGE}")


def _what_is_left(folder: Folder, again: str) -> str:
    """Return what there is of an experiment that failed, if its bidders are in other processes."""
    log = folder.path / LOG
    if not log.exists():
        return ""
    done = f"; go on with: {again}" if any(folder.path.glob("parts/*.npz")) else ""
    return f" (what the bots printed is in {log}){done}"


def _headline(experiment: Experiment) -> str:
    arms = ", ".join(arm.name for arm in experiment.arms)
    source = "solved deals" if experiment.deals else f"seed {experiment.seed}"
    boards = plural(experiment.boards, "board")
    return f"{arms} against {experiment.opponent.name}: {boards} in both rooms, {source}"


def _run(
    folder: Folder, workers: int | None, dask: str, work: LongWork, stop: Stop
) -> tuple[Part, Verdict | None]:
    """Do what is left, and return what counts, and the verdict of the sequential test.

    Raises StoppedError if boards are left that count.
    """
    experiment = folder.experiment
    stopping = Stopping(experiment)
    bidding = work.begin("bidding", experiment.boards, "boards", folder.boards_done())

    def on_boards(boards: int) -> bool:
        bidding.advance(boards)
        return stopping.go_on(folder)

    if stopping.go_on(folder):
        with (
            _submitting(workers, dask) as (submit, at_once),
            stoppable(stop, partial(warn, work.console), "part"),
        ):
            if any(map(experiment.is_apart, experiment.arms)):
                tables = workers or processors()
                asyncio.run(run_apart(folder, submit, tables, on_boards, stop=stop))
            else:
                run(folder, submit, at_once, on_boards, stop)
        if stop.has_refused and stopping.go_on(folder):
            raise StoppedError
    bidding.end()
    parts = list(folder.parts(experiment.boards))
    return Part.joined(parts).first(stopping.boards or experiment.boards), stopping.verdict


@contextmanager
def _submitting(workers: int | None, dask: str) -> Iterator[tuple[Submit, int]]:
    """Yield what has a worker call a function, and how many parts to give them at once."""
    if dask:
        from bridge_arena.tournaments.play.cluster import Cluster, ClusterError

        try:
            with Cluster(dask) as cluster:
                yield cluster.submit, AHEAD * max(1, cluster.threads())
        except ClusterError as error:
            raise FailedError(str(error)) from None
        return
    # No part has a deadline: boards that take long to solve differ from the others.
    with Oracle(workers, deadline=None) as oracle:
        yield oracle.submit, AHEAD * (workers or processors())


def write_lab_replays(figures: LabFigures, folder: Path) -> None:
    """Write the replays to the folder `boards` beside the report. Raises OSError."""
    index = Link(href=f"../{PAGE}", text="Laboratory")
    replays = list(replays_of_records(figures.records))
    with ReplayFolder(folder / FOLDER, index, is_private=False) as written:
        written.write_list(LIST, wording.title(figures), rows_of(replays), index)
        written.write(replays, index)


def new_folder(bots: Iterable[str]) -> Path:
    """Return the folder for results where none is named: runs/TIME-lab-BOTS."""
    safe = "".join(c if c.isalnum() or c == "-" else "_" for c in "-".join(map(_name, bots)))
    return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-lab-{safe[:60]}"


def _name(bot: str) -> str:
    """Return the title of a bot, or the bot as it is on the command line."""
    title, equals, _ = bot.partition("=")
    return title if equals and ":" not in title else bot


def resume_lab(folder: Path, workers: int | None, dask: str = "") -> str:
    """Return the command that goes on with what was interrupted."""
    words = given_words({"--workers": (workers, None), "--dask": (dask, "")})
    return resume_command("lab", words, folder)
