"""`arena tournament`: an event that a file defines."""

from __future__ import annotations

from typing import Annotated

import typer

from bridge_arena.commands.common.cluster import DaskTables, cluster_at
from bridge_arena.commands.common.errors import UnusableError, complain
from bridge_arena.commands.common.options import (
    LOOPBACK,
    Concurrency,
    Controlled,
    EventPath,
    MaxBoards,
    Out,
    Pace,
    Port,
    PublicValue,
    Resume,
    StopAt,
    StoreUrl,
    Web,
    WebHost,
    WebPort,
    WebUrl,
    given_words,
    stop_of,
    tables_at_once,
)


def tournament(
    file: EventPath,
    out: Out = None,
    resume: Resume = False,  # noqa: FBT002
    check: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--check", help="only print what would be played, and about how long it takes"
        ),
    ] = False,
    start: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--start", help="with --check: also start each program once, and say which cannot be"
        ),
    ] = False,
    store: StoreUrl = None,
    public_value: PublicValue = "",
    control: Controlled = None,
    concurrency: Concurrency = None,
    dask: DaskTables = "",
    pace: Pace = 0.0,
    stop_at: StopAt = None,
    max_boards: MaxBoards = None,
    port: Port = 0,
    web: Web = False,  # noqa: FBT002
    web_host: WebHost = LOOPBACK,
    web_port: WebPort = 0,
    web_url: WebUrl = "",
) -> None:
    """Play an event: round robin, Swiss, knock-out, pairs and more.

    The result of each board is kept at once; after an interruption --resume goes on with the
    event. An entry whose bots are lost too often is withdrawn, and the others play on; then the
    exit status is 1.

    Examples:
        arena tournament cup.toml --check --start
        arena tournament cup.toml --out runs/cup --web
        arena tournament cup.toml --out runs/cup --resume
    """
    from bridge_arena.commands.common.event_file_runs import (
        FileRunOptions,
        read,
        run_event,
        start_programs,
    )
    from bridge_arena.commands.common.event_run import check_started
    from bridge_arena.commands.common.web import web_options
    from bridge_arena.tournaments.events.cost_estimate import estimate
    from bridge_arena.tournaments.events.event_rules import cautions
    from bridge_arena.tournaments.play.venue import VenueOptions

    tables = tables_at_once(concurrency)
    definition = read(file)
    event = definition.event
    if check:
        print("\n".join(estimate(event, tables, pace)), flush=True)
        for line in cautions(event):
            complain(line)
        if start:
            if dask:
                raise UnusableError("--start: with --dask, programs start on other machines")
            start_programs(file, event, port)
        return
    if start:
        raise UnusableError("--start: only with --check, as it plays nothing")
    check_started(event.players)
    pages = web_options(web=web, host=web_host, port=web_port, url=web_url)
    for name, value in (("--web", web), ("--pace", pace)):
        if dask and value:
            raise UnusableError(f"{name} is for tables of this machine: not with --dask")
    words = given_words(
        {
            "--dask": (dask, ""),
            "--concurrency": (concurrency, None),
            "--pace": (pace, 0.0),
            "--port": (port, 0),
        }
    )
    options = FileRunOptions(
        out, resume, store, control, public_value, pages, words, stop_of(stop_at, max_boards)
    )
    with cluster_at(dask) as cluster:
        venue = cluster or VenueOptions(tables, port, pace=pace)
        run_event("tournament", file, definition, options, venue)
