"""`arena match`: a two-room team match between two bots."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.bridge.record import Mode
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.options import (
    LOOPBACK,
    BoardsFrom,
    Concurrency,
    Controlled,
    MaxBoards,
    Pace,
    Port,
    Seed,
    StopAt,
    Web,
    WebHost,
    WebPort,
    WebUrl,
    bot_names,
    given_words,
    out_option,
    resume_command,
    resume_option,
    stop_of,
    tables_at_once,
)
from bridge_arena.server.claims import Claims
from bridge_arena.tournaments.events import START, Isolation


def match(
    first: Annotated[
        str, typer.Argument(metavar="A", help="the first bot", autocompletion=bot_names)
    ] = "",
    second: Annotated[
        str, typer.Argument(metavar="B", help="its opponent", autocompletion=bot_names)
    ] = "",
    boards: Annotated[
        int | None, typer.Option(min=1, help="number of boards; default: 32, or all of the file")
    ] = None,
    boards_from: BoardsFrom = None,
    pbn: Annotated[
        Path | None,
        typer.Option("--pbn", metavar="FILE", help="the old name of --boards-from"),
    ] = None,
    seed: Seed = None,
    mode: Annotated[
        Mode | None,
        typer.Option(
            help="full (the default); bidding: contracts are scored double dummy; "
            "play: both rooms are given the same auction"
        ),
    ] = None,
    out: Annotated[Path | None, out_option("runs/TIME-A-B")] = None,
    resume: Annotated[Path | None, resume_option("match")] = None,
    control: Controlled = None,
    concurrency: Concurrency = None,
    clock: Annotated[
        str | None,
        typer.Option(
            help="seconds for each action, or several limits; default: 60", metavar="CLOCK"
        ),
    ] = None,
    claims: Annotated[
        Claims | None,
        typer.Option(
            help="off (the default): no claims; players: the defenders accept or refuse a claim; "
            "checked: the solver decides"
        ),
    ] = None,
    undo: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--undo",
            help="let people take calls and cards back, if opponents who are people agree",
        ),
    ] = False,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="imp0=0 imp1=0.5 alpha=0.05 beta=0.05",
            help="end the match as soon as a sequential test can tell whether A is stronger by "
            "imp1 IMPs a board, or by imp0",
        ),
    ] = None,
    isolation: Annotated[
        Isolation | None,
        typer.Option(
            help="none (the default): bots are trusted; sandbox: each process has no files "
            "but its own, and no network"
        ),
    ] = None,
    broadcast: Annotated[
        str | None,
        typer.Option(
            metavar="live|board|SECONDS",
            help="when spectators see a table: at once (live, the default), when both rooms have "
            "finished the board, or so many seconds later",
        ),
    ] = None,
    start: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            max=86_400,
            help=f"seconds that a bot has to load and to sit down; default: {START:g}",
            metavar="SECONDS",
        ),
    ] = None,
    pace: Pace = 0.0,
    stop_at: StopAt = None,
    max_boards: MaxBoards = None,
    port: Port = 0,
    *,
    web: Web = False,
    web_host: WebHost = LOOPBACK,
    web_port: WebPort = 0,
    web_url: WebUrl = "",
) -> None:
    """Play a match between two bots.

    Every board is played in both rooms. The report gives the result in IMPs, and the tricks
    compared with the double-dummy oracle. A and B are shipped bots (see `arena bots`) or
    cmd:PROGRAM ARGS. TITLE=BOT shows a bot under another name. "BOT & BOT" is a team of two
    bots, the first of which sits North and East.

    Examples:
        arena match natural montecarlo:worlds=20 --boards 64
        arena match natural "Mine=cmd:python my_bot.py" --seed 1 --web
        arena match natural neural --sprt "imp0=0 imp1=0.5 alpha=0.05 beta=0.05"
        arena match --resume runs/first
    """
    from bridge_arena.commands.common.event_run import EventRun, check_started, hide_arguments
    from bridge_arena.commands.common.matches import new_folder, play_match, set_up
    from bridge_arena.commands.common.web import web_options
    from bridge_arena.tournaments.play.venue import VenueOptions

    pages = web_options(web=web, host=web_host, port=web_port, url=web_url)
    options = given_words(
        {"--concurrency": (concurrency, None), "--pace": (pace, 0.0), "--port": (port, 0)}
    )
    options += [] if pages is None else pages.words
    again = partial(resume_command, "match", options)
    venue = VenueOptions(tables_at_once(concurrency), port, pace=pace)
    stop = stop_of(stop_at, max_boards)
    if resume is not None:
        setup = (first, boards_from, pbn, out, boards, clock, claims, undo, mode, sprt, isolation)
        if any(setup) or any(value is not None for value in (broadcast, start, seed, control)):
            raise UnusableError("--resume goes on with a match as it was set up: give only DIR")
        with EventRun(again, resume, stop=stop) as run:
            check_started(run.go_on_with_match().players)
            play_match(run, venue, pages)
        return
    if not second:
        raise UnusableError("name two bots, or --resume a match (see arena match --help)")
    if boards_from is not None and pbn is not None:
        raise UnusableError("--pbn is the old name of --boards-from: give only one")
    new = set_up(
        first,
        second,
        count=boards,
        boards_from=boards_from or pbn,
        seed=seed,
        clock=clock,
        claims=claims or Claims.OFF,
        undo=undo,
        mode=mode or Mode.FULL,
        sprt=sprt,
        isolation=isolation or Isolation.NONE,
        broadcast=broadcast,
        start=start,
    )
    check_started(new.event.players)
    if seed is not None:
        hide_arguments("match")
    with EventRun(again, out, new_folder(new.event), stop) as run:
        run.create(new, control=control)
        play_match(run, venue, pages)
