"""`arena mcp`: a seat for an agent, by the Model Context Protocol."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError, need_posix
from bridge_arena.commands.common.options import (
    LOOPBACK,
    Seed,
    bot_option,
    out_option,
    port_option,
    resume_option,
)
from bridge_arena.commands.play import BOARDS, BOT

PORT = 7771
"""The port of the server over HTTP by default."""


SECRET = "ARENA_MCP_SECRET"
"""The environment variable of the secret that opens the seat over HTTP."""


def mcp(
    partner: Annotated[str, bot_option(f"the agent's partner; default: {BOT}")] = "",
    against: Annotated[str, bot_option(f"the agent's opponents; default: {BOT}")] = "",
    boards: Annotated[
        int | None, typer.Option(min=1, help=f"number of boards; default: {BOARDS}")
    ] = None,
    seed: Seed = None,
    out: Annotated[Path | None, out_option("runs/TIME-Your_team-BOT")] = None,
    resume: Annotated[Path | None, resume_option("boards")] = None,
    url: Annotated[
        str,
        typer.Option(
            envvar="ARENA_URL",
            help="take a seat of this server instead: ws://HOST:PORT",
            metavar="URL",
        ),
    ] = "",
    token: Annotated[
        str,
        typer.Option(
            envvar="ARENA_TOKEN", help="the token of the agent's entry there", metavar="TOKEN"
        ),
    ] = "",
    seat: Annotated[
        str,
        typer.Option(
            envvar="ARENA_SEAT", help="N, E, S or W there; default: any free seat", metavar="SEAT"
        ),
    ] = "",
    http: Annotated[  # noqa: FBT002
        bool, typer.Option("--http", help="serve over streamable HTTP, on this machine only")
    ] = False,
    port: Annotated[int, port_option("port of --http")] = PORT,
    secret: Annotated[
        str,
        typer.Option(
            envvar=SECRET,
            help="the bearer token that --http asks for; default: a new one, which is printed",
            metavar="TEXT",
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
    import logging

    from bridge_arena.bots.mcp.seat import AgentSeat
    from bridge_arena.commands.common.web import listener_at
    from bridge_arena.commands.mcp.games import elsewhere, own_match
    from bridge_arena.commands.mcp.transports import over_http, over_stdio

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
    listener = listener_at(LOOPBACK, port) if http else None
    agent = AgentSeat()
    with ExitStack() as stack:
        if url:
            play = elsewhere(agent, url, token, seat)
        else:
            need_posix("a match of arena mcp")
            options = ["--http", "--port", str(port)] if http else []
            play = own_match(agent, partner, against, boards, seed, out, resume, options, stack)
        if listener is not None:
            over_http(agent, play, listener, secret)
        else:
            over_stdio(agent, play)
