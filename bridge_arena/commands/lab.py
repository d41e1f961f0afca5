"""`arena lab`: bots against each other in this process, thousands of boards a second."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bridge_arena.base.plural import plural
from bridge_arena.base.processors import processors
from bridge_arena.commands.common.bot_names import bot_names
from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    cannot_write,
)
from bridge_arena.commands.common.lab_replays import write_lab_replays
from bridge_arena.commands.common.progress import progress_bar
from bridge_arena.commands.common.signals import sigterm_as_ctrl_c
from bridge_arena.commands.train.common import deal_files
from bridge_arena.lab.bidders import BidderError, parse_bidders
from bridge_arena.lab.experiment import Experiment, Part
from bridge_arena.lab.figures import lab_figures
from bridge_arena.lab.folder import Folder, FolderError
from bridge_arena.lab.lab_files import PAGE, write_lab_files
from bridge_arena.lab.run import AHEAD, FailedBidderError, Submit, run, solve
from bridge_arena.lab.stopping import Stopping
from bridge_arena.lab.terminal import print_figures
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.solved_deals import SolvedDealsError, count
from bridge_arena.tournaments.statistics.sequential import Sprt, Verdict

BOARDS = 10_000
"""The number of boards, where none is given and boards are dealt."""


def lab(
    bidders: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT... OPPONENT",
            help="the bots that are compared, and last the one that each of them meets",
            autocompletion=bot_names,
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(min=1, help=f"number of boards; default: {BOARDS:,}, or all of --deals"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="seed of the boards; default: one at random, which is told")
    ] = None,
    deals: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="bid these solved deals, a file or a folder of `arena train deals`; repeatable",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="imp0=0 imp1=0.1 alpha=0.05 beta=0.05",
            help="end as soon as a sequential test can tell: of one bot its IMPs a board, of two "
            "the second's less the first's",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="folder for the results; default: runs/TIME-lab-BOTS", metavar="DIR"),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with the experiment of this folder", metavar="DIR")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="processes; default: one for each processor")
    ] = None,
    dask: Annotated[
        str, typer.Option(metavar="ADDRESS", help="work on the workers of this Dask scheduler")
    ] = "",
) -> None:
    """Bid thousands of boards a second, and tell where the gain is.

    Every bot bids the same boards against OPPONENT, each board in both rooms, without sockets or
    play; contracts are scored double dummy. The result is that of `arena match --mode bidding`
    with the same seed. A bot is one that ships (see `arena bots`) or FILE.py:CLASS; TITLE=BOT
    gives it another name. All bots run in the same processes, so nothing keeps one from looking
    at another's cards: for bots that are not trusted there is `arena match`.

    Examples:
        arena lab natural neural --boards 2000
        arena lab natural mine.py:MyBot neural --seed 1 --out runs/rule
        arena lab natural "Mine=mine.py:MyBot" neural --sprt "imp0=0 imp1=0.1"
        arena lab --resume runs/rule
    """
    if dask and workers is not None:
        raise UnusableError("--workers is for this machine, --dask for a cluster: give one")
    try:
        if resume is not None:
            if bidders or deals or boards or sprt or out or seed is not None:
                raise UnusableError("--resume goes on with an experiment as it was: give only DIR")
            folder = Folder.open(resume)
        else:
            experiment = set_up(bidders or [], boards, seed, deals or [], sprt)
            folder = Folder.new(out or _new_folder(experiment), experiment)
    except (FolderError, BidderError, SolvedDealsError, ValueError) as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(cannot_write(error, out or resume)) from None
    again = ["arena", "lab", "--resume", str(folder.path)]
    print(_headline(folder.experiment))
    try:
        with sigterm_as_ctrl_c():
            found, verdict = _run(folder, workers, dask)
            figures = lab_figures(folder.experiment, found, solve, verdict)
            write_lab_files(figures, folder.path)
            write_lab_replays(figures, folder.path)
    except KeyboardInterrupt:
        raise InterruptedCommandError(f"interrupted; go on with: {shlex.join(again)}") from None
    except (FailedBidderError, OracleError) as error:
        raise FailedError(str(error)) from None
    except (FolderError, SolvedDealsError) as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(cannot_write(error, folder.path)) from None
    print_figures(figures, Console())
    print(f"results in {folder.path / PAGE}")


def set_up(
    bidders: list[str], boards: int | None, seed: int | None, deals: list[Path], sprt: str | None
) -> Experiment:
    """Set up an experiment.

    Args:
        bidders: The bots, the opponent last, as on the command line.
        boards: The number of boards; None for the default.
        seed: The seed; None for one at random.
        deals: Files of solved deals; empty to deal boards.
        sprt: The sequential test that ends it; None to bid all boards.

    Returns:
        The experiment.

    Raises:
        UnusableError: There is no such experiment.
        BidderError: A bidder cannot take part.
        SolvedDealsError: A file has no solved deals.
        ValueError: The sequential test cannot be read.
        OSError: A file cannot be read.
    """
    if len(bidders) < 2:
        raise UnusableError("name two bots or more, or --resume an experiment (arena lab --help)")
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
    files = tuple(str(path.resolve()) for path in paths)
    chosen = secrets.randbelow(2**31) if seed is None else seed
    return Experiment(tuple(arms), opponent, boards or BOARDS, chosen, files, sprt)


def _new_folder(experiment: Experiment) -> Path:
    names = "-".join(each.name for each in (*experiment.arms, experiment.opponent))
    safe = "".join(c if c.isalnum() or c == "-" else "_" for c in names)
    return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-lab-{safe[:60]}"


def _headline(experiment: Experiment) -> str:
    arms = ", ".join(arm.name for arm in experiment.arms)
    source = "solved deals" if experiment.deals else f"seed {experiment.seed}"
    boards = plural(experiment.boards, "board")
    return f"{arms} against {experiment.opponent.name}: {boards} in both rooms, {source}"


def _run(folder: Folder, workers: int | None, dask: str) -> tuple[Part, Verdict | None]:
    """Do what is left, and return what counts, and the verdict of the sequential test."""
    experiment = folder.experiment
    stopping = Stopping(experiment)
    with (
        _submitting(workers, dask) as (submit, at_once),
        progress_bar(Console(stderr=True)) as progress,
    ):
        task = progress.add_task("bidding", total=experiment.boards)

        def on_part(boards: int) -> bool:
            progress.advance(task, boards)
            return stopping.go_on(folder)

        run(folder, submit, at_once, on_part)
    parts = list(folder.parts(experiment.boards))
    return Part.joined(parts).first(stopping.boards or experiment.boards), stopping.verdict


@contextmanager
def _submitting(workers: int | None, dask: str) -> Iterator[tuple[Submit, int]]:
    """Yield what has a worker call a function, and how many parts to give them at once."""
    if dask:
        from bridge_arena.tournaments.play.cluster import Cluster  # noqa: PLC0415
        from bridge_arena.tournaments.play.cluster_error import ClusterError  # noqa: PLC0415

        try:
            with Cluster(dask) as cluster:
                yield cluster.submit, AHEAD * max(1, cluster.threads())
        except ClusterError as error:
            raise FailedError(str(error)) from None
        return
    # No part has a deadline: boards that take long to solve differ from the others.
    with Oracle(workers, deadline=None) as oracle:
        yield oracle.submit, AHEAD * (workers or processors())
