"""`arena bot`: a shipped bot plays on a server."""

from __future__ import annotations

from typing import Annotated

import typer

from bots.client import run
from bots.registry import UnknownBotError, parse
from bridge.errors import NotationError
from bridge.seats import Seat
from tournaments.commands.errors import UnusableError


def bot(
    name: Annotated[str, typer.Argument(help="a shipped bot: NAME or NAME:OPTION=VALUE,...")],
    url: Annotated[str, typer.Option(envvar="ARENA_URL", help="the server: ws://HOST:PORT")] = "",
    token: Annotated[
        str,
        typer.Option(envvar="ARENA_TOKEN", help="the seat's token; several divided by commas"),
    ] = "",
    seat: Annotated[
        str, typer.Option(envvar="ARENA_SEAT", help="the seat expected: N, E, S or W")
    ] = "",
) -> None:
    """Run a shipped bot on a server, until the server says goodbye."""
    try:
        _, make_bot = parse(name)
    except UnknownBotError as error:
        raise UnusableError(str(error)) from None
    if not url:
        raise UnusableError("no server to play on: give --url or set ARENA_URL")
    if not token:
        raise UnusableError("no seat to take: give --token or set ARENA_TOKEN")
    try:
        if seat:
            Seat.parse(seat)
    except NotationError as error:
        raise UnusableError(str(error)) from None
    run(make_bot, url=url, token=token, seat=seat)
