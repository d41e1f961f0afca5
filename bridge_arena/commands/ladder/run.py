"""`arena ladder run`: a ladder is played, until it is stopped."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.base.concurrency import load_numpy_for_one_thread
from bridge_arena.commands.common.cluster import DaskTables, cluster_at
from bridge_arena.commands.common.errors import InterruptedCommandError, UnusableError, complain
from bridge_arena.commands.common.options import (
    BLUECHIP_PORT,
    BOT_PORT,
    LOOPBACK,
    Host,
    MaxBoards,
    StopAt,
    StoreUrl,
    WebHost,
    WebPort,
    WebUrl,
    given_words,
    out_option,
    stop_of,
)

DEMO = """\
[ladder]
name = "Demo"
boards = 8
anchors = ["baseline"]

[[player]]
bot = "baseline"

[[player]]
bot = "random"

[[player]]
bot = "natural"

[[player]]
bot = "neural"

[[player]]
bot = "fastplay"
"""
"""The file of the ladder of `--demo`: bots that ship, and think for milliseconds."""


def run(
    file: Annotated[
        Path | None, typer.Argument(metavar="[LADDER.toml]", help="file that defines the ladder")
    ] = None,
    demo: Annotated[  # noqa: FBT002
        bool, typer.Option("--demo", help="play a ladder of bots that ship, without a file")
    ] = False,
    out: Annotated[Path | None, out_option("runs/ladder-NAME, by the file's name")] = None,
    store: StoreUrl = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="matches at once; default: as the file says, or one for each processor, and with "
            "--dask one for each thread of the cluster besides",
        ),
    ] = None,
    host: Host = LOOPBACK,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="port for bots that connect by themselves; 0: any free port; default: "
            f"{BOT_PORT} if there are any, or authors, when the ladder begins",
        ),
    ] = None,
    bluechip_port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="port for Blue Chip programs; 0: any free port; default: "
            f"{BLUECHIP_PORT} if there are any when the ladder begins",
        ),
    ] = None,
    dask: DaskTables = "",
    web: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--web", help="show the ladder in browsers while it is played, and take orders there"
        ),
    ] = False,
    web_host: WebHost = LOOPBACK,
    web_port: WebPort = 0,
    web_url: WebUrl = "",
    stop_at: StopAt = None,
    max_boards: MaxBoards = None,
) -> None:
    """Play a ladder until it is stopped; the same command goes on with it.

    Ctrl-C lets the boards in play end; their matches go on another time. New players of the file
    join those that are there. A player whose program or settings changed goes on as a new version,
    with a rating of its own.

    Examples:
        arena ladder --demo
        arena ladder club.toml --out runs/club
        arena ladder club.toml --out runs/club --web
    """
    load_numpy_for_one_thread()
    from bridge_arena.commands.common.web import web_options
    from bridge_arena.commands.ladder.from_afar import need_here
    from bridge_arena.commands.ladder.playing import PlayOptions, play_ladder
    from bridge_arena.tournaments.events.event_file import EventFileError
    from bridge_arena.tournaments.ladder.ladder_file import parse_ladder, read_ladder

    if (file is None) != demo:
        raise UnusableError("give the file of a ladder, or --demo")
    if file is not None:
        need_here(file, "run")
    name = "demo" if file is None else file.stem
    try:
        ladder = parse_ladder(DEMO, Path("demo.toml")) if file is None else read_ladder(file)
    except EventFileError as error:
        *others, last = error.mistakes
        for mistake in others:
            complain(mistake)
        raise UnusableError(last) from None
    words = given_words(
        {
            "--store": (store, None),
            "--concurrency": (concurrency, None),
            "--host": (host, LOOPBACK),
            "--port": (port, None),
            "--bluechip-port": (bluechip_port, None),
            "--dask": (dask, ""),
        }
    )
    again = ["arena", "ladder", "--demo" if file is None else str(file)]
    folder = out or Path("runs") / f"ladder-{name[:60]}"
    pages = web_options(web=web, host=web_host, port=web_port, url=web_url)
    again += [*(["--out", str(out)] if out else []), *words, *(pages.words if pages else [])]
    options = PlayOptions(folder, stop_of(stop_at, max_boards), shlex.join(again), concurrency)
    options = replace(options, file=file, url=store, host=host, port=port, web=pages)
    options = replace(options, bluechip_port=bluechip_port)
    with cluster_at(dask) as cluster:
        play_ladder(ladder, replace(options, cluster=cluster))
    raise InterruptedCommandError(f"stopped; go on with: {options.again}")
