"""`arena lab`: bots against each other, in one process thousands of boards a second."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.options import (
    BOARD_FILES,
    MaxBoards,
    StopAt,
    bot_names,
    bot_option,
    out_option,
    resume_option,
    stop_of,
)
from bridge_arena.commands.lab import BOARDS


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
    boards_from: Annotated[
        Path | None,
        typer.Option(
            "--boards-from", metavar="FILE", help=f"with --play: the contracts of {BOARD_FILES}"
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
    out: Annotated[Path | None, out_option("runs/TIME-lab-BOTS")] = None,
    resume: Annotated[Path | None, resume_option("experiment")] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="processes; default: one for each processor")
    ] = None,
    dask: Annotated[
        str, typer.Option(metavar="ADDRESS", help="work on the workers of this Dask scheduler")
    ] = "",
    stop_at: StopAt = None,
    max_boards: MaxBoards = None,
    *,
    bracket: Annotated[
        bool,
        typer.Option(
            "--bracket",
            help="also score after a lead by what the leader knows, and with a perfect doubler",
        ),
    ] = False,
    leads: Annotated[
        str | None, bot_option("--bracket with BOT's opening leads; default: fastplay")
    ] = None,
    play: Annotated[
        bool, typer.Option("--play", help="play the cards of two bots in given contracts instead")
    ] = False,
) -> None:
    """Bid thousands of boards a second, and tell where the gain is.

    Every bot bids the same boards against OPPONENT, each board in both rooms, without sockets or
    play; contracts are scored double dummy. The result is that of `arena match --mode bidding`
    with the same seed. A bot is one that ships (see `arena bots`) or FILE.py:CLASS, which bid
    thousands of boards a second in the same processes, so that nothing keeps one from looking at
    another's cards; or any other entry of `arena match`, as cmd:PROGRAM or http:URL, which is asked
    one board at a time in its own processes. TITLE=BOT gives it another name.

    With --play two bots play the cards of the same contracts in both rooms: those of a file, or
    bid by natural. The result is that of `arena match --mode play`, and so is the report.

    Examples:
        arena lab natural neural --boards 2000
        arena lab natural mine.py:MyBot neural --seed 1 --out runs/rule
        arena lab natural "Mine=mine.py:MyBot" neural --sprt "imp0=0 imp1=0.1"
        arena lab natural "BEN=http:http://127.0.0.1:8085" neural --boards 100
        arena lab fastplay baseline --play --boards 500
        arena lab --resume runs/rule
    """
    from bridge_arena.commands.common.event_run import EventRun
    from bridge_arena.commands.common.folders import alone
    from bridge_arena.commands.lab import card_play
    from bridge_arena.commands.lab.bidding import (
        bid,
        new_experiment,
        new_folder,
        open_experiment,
        resume_lab,
    )
    from bridge_arena.tournaments import STORE

    bots, files = bidders or [], deals or []
    leader = leads or ("fastplay" if bracket else None)
    cards = play or (resume is not None and (resume / STORE).exists())
    if cards and (files or dask or leader):
        raise UnusableError("--play takes no --deals, no --dask and no --bracket")
    if boards_from is not None and not play:
        raise UnusableError("--boards-from: only with --play")
    if dask and workers is not None:
        raise UnusableError("--workers is for this machine, --dask for a cluster: give one")
    setup = (bots, files, boards, sprt, out, leader, seed is not None)
    if resume is not None and any(setup):
        raise UnusableError("--resume goes on with an experiment as it was: give only DIR")
    again = partial(resume_lab, workers=workers, dask=dask)
    stop = stop_of(stop_at, max_boards)
    if cards:
        with EventRun(again, resume or out, new_folder(bots), stop) as run:
            if resume is not None:
                card_play.go_on(run)
            else:
                card_play.begin(run, bots, boards, boards_from, seed, sprt)
            card_play.play(run, workers)
        return
    with alone(resume or out, new_folder(bots)) as folder:
        if resume is not None:
            experiment = open_experiment(folder)
        else:
            experiment = new_experiment(bots, boards, seed, files, sprt, leader, folder)
        bid(experiment, workers, dask, again(folder), stop)
