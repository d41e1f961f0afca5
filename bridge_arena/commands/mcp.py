"""`arena mcp`: a seat for an agent, by the Model Context Protocol."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import shlex
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from pathlib import Path
from socket import create_server, socket
from typing import Annotated

import typer
import uvicorn

from bridge_arena.base.plural import plural
from bridge_arena.bots.mcp.access import PATH, seat_application
from bridge_arena.bots.mcp.bot import AgentBot
from bridge_arena.bots.mcp.seat import AgentSeat
from bridge_arena.bots.mcp.tools import seat_server
from bridge_arena.bots.sdk.client import run
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import Seat as Compass
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.event_store import create_store, open_store
from bridge_arena.commands.common.options import Seed
from bridge_arena.commands.common.posix import need_posix
from bridge_arena.commands.common.web import LOOPBACK
from bridge_arena.commands.match import hide_arguments, new_folder, play_match
from bridge_arena.commands.play import BOARDS, BOT, TEAM, set_up_seat
from bridge_arena.reports.common.results import STORE
from bridge_arena.reports.match.files import SUMMARY
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.play.endpoints import PublicEndpoint
from bridge_arena.tournaments.store import Store
from bridge_arena.web.common.guard import local_hosts
from bridge_arena.web.common.quiet_server import QuietServer

AGENT = "Agent"
"""The name of the agent in a match of its own."""

CLOCK = "86400"
"""Seconds for each action in such a match: as good as no limit."""

PORT = 7771
"""The port of the server over HTTP by default."""


SECRET = "ARENA_MCP_SECRET"
"""The environment variable of the secret that opens the seat over HTTP."""

_CONNECTIONS = 50
"""The most connections at once: an agent has a few."""


def mcp(
    partner: Annotated[
        str, typer.Option(metavar="BOT", help=f"the agent's partner; default: {BOT}")
    ] = "",
    against: Annotated[
        str, typer.Option(metavar="BOT", help=f"the agent's opponents; default: {BOT}")
    ] = "",
    boards: Annotated[
        int | None, typer.Option(min=1, help=f"number of boards; default: {BOARDS}")
    ] = None,
    seed: Seed = None,
    out: Annotated[
        Path | None, typer.Option(help="folder for the results; default: runs/TIME-Your_team-BOT")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with the boards of this folder")
    ] = None,
    url: Annotated[
        str,
        typer.Option(envvar="ARENA_URL", help="take a seat of this server instead: ws://HOST:PORT"),
    ] = "",
    token: Annotated[
        str, typer.Option(envvar="ARENA_TOKEN", help="the token of the agent's entry there")
    ] = "",
    seat: Annotated[
        str, typer.Option(envvar="ARENA_SEAT", help="N, E, S or W there; default: any free seat")
    ] = "",
    http: Annotated[  # noqa: FBT002
        bool, typer.Option("--http", help="serve over streamable HTTP, on this machine only")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="port of --http; 0: any free port")
    ] = PORT,
    secret: Annotated[
        str,
        typer.Option(
            envvar=SECRET,
            help="the bearer token that --http asks for; default: a new one, which is printed",
        ),
    ] = "",
) -> None:
    """Give an agent a seat, by the Model Context Protocol.

    The agent's program starts this command, and talks to it over standard input and output. The
    agent sits South in a match of its own with three bots, as a person does with `arena play`; or
    with --url it takes a seat of an event that somebody serves.

    Examples:
        arena mcp --against natural --boards 4
        arena mcp --http --out runs/agent
        arena mcp --resume runs/agent
        arena mcp --url ws://127.0.0.1:7770 --token TOKEN --seat S
    """
    # Every program that is started here could read it in the environment.
    os.environ.pop(SECRET, None)
    own = any((partner, against, boards, out, resume)) or seed is not None
    if url and own:
        raise UnusableError("--url takes a seat of an event elsewhere: no option of a match goes")
    if not url and (token or seat):
        raise UnusableError("no server to play on: give --url or set ARENA_URL")
    if url and not token:
        raise UnusableError("no seat to take: give --token or set ARENA_TOKEN")
    # The package would draw boxes round warnings.
    logging.basicConfig(level=logging.WARNING, format="arena: %(message)s")
    listener = _listener(port) if http else None
    agent = AgentSeat()
    if url:
        play = _elsewhere(agent, url, token, seat)
    else:
        need_posix("a match of arena mcp")
        options = ["--http", "--port", str(port)] if http else []
        play = _own_match(agent, partner, against, boards, seed, out, resume, options)
    if listener is not None:
        _over_http(agent, play, listener, secret)
    else:
        _over_stdio(agent, play)


# What is played: each returns a function that plays to the end.

Play = Callable[[], None]


def _elsewhere(agent: AgentSeat, url: str, token: str, seat: str) -> Play:
    """Return what plays in a seat of another server. Raises UnusableError."""
    try:
        place = Compass.parse(seat).letter if seat else None
    except NotationError as error:
        raise UnusableError(str(error)) from None

    def play() -> None:
        run(lambda: AgentBot(agent), url=url, token=token, seat=place)
        agent.close("the event is over")

    return play


def _own_match(
    agent: AgentSeat,
    partner: str,
    against: str,
    boards: int | None,
    seed: int | None,
    out: Path | None,
    resume: Path | None,
    options: list[str],
) -> Play:
    """Return what plays a match of the agent and three bots.

    `options` are those that go on with it as it was begun. Raises UnusableError.
    """
    if resume is not None:
        if any((partner, against, boards, out)) or seed is not None:
            raise UnusableError("--resume goes on with boards as they were set up: give only DIR")
        folder, existed = resume, True
        store = open_store(folder / STORE)
        if not _is_own(store):
            store.close()
            raise UnusableError(f"{folder} was not begun by arena mcp")
    else:
        event, sealing, given = set_up_seat(
            f"remote:{AGENT}", partner, against, boards, None, seed, CLOCK
        )
        if seed is not None:
            hide_arguments("mcp")
        folder = out or new_folder(event)
        existed = folder.exists()
        store = create_store(folder, event, sealing, given, _go_on(folder, options))
    token = secrets.token_urlsafe()

    def owner(given: str) -> str | None:
        return (
            f"{TEAM} / {AGENT}" if secrets.compare_digest(given.encode(), token.encode()) else None
        )

    def sit(url: str) -> None:
        try:
            run(lambda: AgentBot(agent), url=url, token=token, seat=Compass.SOUTH.letter)
        except SystemExit as error:
            print(f"arena: the agent has lost its seat: {error}", file=sys.stderr)

    def announce(line: str) -> None:
        listening, _, url = line.rpartition(" ")
        if listening == "listening on":
            threading.Thread(target=sit, args=(url,), daemon=True).start()

    def play() -> None:
        play_match(
            store,
            folder,
            None,
            _go_on(folder, options),
            is_new=resume is None,
            existed=existed,
            # The agent plays one board at a time.
            concurrency=1,
            public=PublicEndpoint(LOOPBACK, 0, None, owner, None, announce),
        )
        agent.close(_ending(folder))

    return play


def _ending(folder: Path) -> str:
    """Return the result of a match in words, as its report has it."""
    summary = json.loads((folder / SUMMARY).read_text("utf-8"))
    boards = plural(summary["boards"], "board")
    return f"the match is over: {summary['imps']:+d} IMPs for your team over {boards}"


def _is_own(store: Store) -> bool:
    """Return whether `arena mcp` has begun a match."""
    home = store.event().entries[0]
    remote = [each.name for each in home.players if each.access is Access.REMOTE]
    return remote == [f"{TEAM} / {AGENT}"]


def _go_on(folder: Path, options: list[str]) -> str:
    """Return the command that goes on with the match of a folder."""
    return shlex.join(["arena", "mcp", "--resume", str(folder), *options])


# How the agent reaches it. The server has a thread of its own, as what is played handles signals.


def _over_stdio(agent: AgentSeat, play: Play) -> None:
    """Play, and serve over standard input and output until the agent leaves."""
    ready = threading.Event()

    def serve() -> None:
        try:
            asyncio.run(seat_server(agent, ready.set).run_stdio_async())
        finally:
            ready.set()
            if not agent.is_closed:
                # The agent has left: what is played ends as by Ctrl-C.
                os.kill(os.getpid(), signal.SIGINT)

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    # The server has standard output for itself before anything is printed.
    ready.wait()
    with redirect_stdout(sys.stderr):
        play()
    with suppress(KeyboardInterrupt):
        server.join()


def _listener(port: int) -> socket:
    """Return a socket that listens on a port of this machine. Raises UnusableError."""
    try:
        return create_server((LOOPBACK, port))
    except OSError as error:
        raise UnusableError(f"cannot listen on port {port}: {error.strerror}") from None


def _over_http(agent: AgentSeat, play: Play, listener: socket, secret: str) -> None:
    """Play, and serve over HTTP until Ctrl-C."""
    port = listener.getsockname()[1]
    print(f"the seat is at http://{LOOPBACK}:{port}{PATH}", flush=True)
    if not secret:
        secret = secrets.token_urlsafe()
        print(f"with the header Authorization: Bearer {secret}", flush=True)
    server = threading.Thread(target=_serve, args=(agent, secret, listener), daemon=True)
    server.start()
    play()
    print("the agent can still ask for results until Ctrl-C", flush=True)
    with suppress(KeyboardInterrupt):
        server.join()


def _serve(agent: AgentSeat, secret: str, listener: socket) -> None:
    """Answer requests until the process ends."""
    hosts = local_hosts(listener.getsockname()[1])
    application = seat_application(seat_server(agent), secret, hosts)
    config = uvicorn.Config(
        application,
        http="h11",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    asyncio.run(QuietServer(config).serve(sockets=[listener]))
