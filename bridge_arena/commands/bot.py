"""`arena bot`: a shipped bot on a server, or under a Blue Chip table manager."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.common.errors import FailedError, UnusableError, plain, unusable
from bridge_arena.commands.common.options import bot_names


def bot(
    name: Annotated[
        str,
        typer.Argument(
            help="a shipped bot: NAME or NAME:OPTION=VALUE,...", autocompletion=bot_names
        ),
    ],
    url: Annotated[
        str, typer.Option(envvar="ARENA_URL", help="the server: ws://HOST:PORT", metavar="URL")
    ] = "",
    token: Annotated[
        str, typer.Option(envvar="ARENA_TOKEN", help="the bot's token", metavar="TOKEN")
    ] = "",
    seat: Annotated[
        str,
        typer.Option(
            envvar="ARENA_SEAT",
            help="N, E, S or W, a process for each; default: one that is free",
            metavar="SEAT",
        ),
    ] = "",
    bluechip: Annotated[
        str,
        typer.Option(
            help="play under this Blue Chip table manager instead: HOST:PORT", metavar="HOST:PORT"
        ),
    ] = "",
    team: Annotated[
        str, typer.Option(help="Blue Chip: the team's name; default: the bot's", metavar="NAME")
    ] = "",
    quirk: Annotated[
        list[str] | None,
        typer.Option(
            help="Blue Chip: what this manager does differently: NAME=VALUE; repeatable",
            metavar="QUIRK",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Blue Chip: seed of the bot's random choices")] = 0,
    replay_log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="connect to no server: play the sessions of this wire log back to the bot; "
            "ARENA_WIRE_LOG=FILE writes one",
        ),
    ] = None,
) -> None:
    """Run a shipped bot on a server, until the server says goodbye.

    Examples:
        arena bot natural --url ws://127.0.0.1:7770 --token TOKEN
        arena bot montecarlo:budget=1 --seat N
        arena bot natural --bluechip 127.0.0.1:2000 --seat S --team Ours
        arena bot natural --replay-log wire.jsonl
    """
    from bridge_arena.bots.registry import UnknownBotError, parse, starting, version_of
    from bridge_arena.bots.sdk.client import Bot, run
    from bridge_arena.bots.sdk.replay_log import print_replay
    from bridge_arena.bots.sdk.wire_log import WireLogError
    from bridge_arena.bridge.errors import NotationError
    from bridge_arena.bridge.seats import Seat
    from bridge_arena.protocol.bluechip.spelling import QuirkError, Quirks

    with unusable(UnknownBotError, NotationError, QuirkError):
        shipped, make_bot = parse(name)
        place = Seat.parse(seat) if seat else None
        quirks = Quirks.parse(quirk or ())
    if replay_log is not None:
        try:
            with unusable(WireLogError):
                print_replay(starting(shipped, make_bot), replay_log)
        except OSError as error:
            raise UnusableError(plain(error)) from None
        return
    if not bluechip and (team or quirk):
        raise UnusableError("--team and --quirk are for --bluechip")
    if bluechip:
        if shipped.cheat:
            raise UnusableError(f"{shipped.name} must see all hands, which Blue Chip never shows")
        from bridge_arena.bots.sdk.bluechip import play_bluechip
        from bridge_arena.bots.sdk.connection import ConnectionFailedError

        address, player = _address(bluechip), starting(shipped, make_bot)()
        try:
            name = team or shipped.name
            play_bluechip(player, address, team=name, seat=place, quirks=quirks, seed=seed)
        except ConnectionFailedError as error:
            raise FailedError(str(error)) from None
        return
    if not url:
        raise UnusableError("no server to play on: give --url or set ARENA_URL")
    if not token:
        raise UnusableError("no seat to take: give --token or set ARENA_TOKEN")
    start = starting(shipped, make_bot)

    def started() -> Bot:
        player = start()
        player.version = f"{player.version} {version_of(name)}".strip()
        return player

    run(started, url=url, token=token, seat=seat)


def _address(text: str) -> tuple[str, int]:
    """Return the host and port of HOST:PORT. Raises UnusableError."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise UnusableError(f"--bluechip is {text!r}, expected HOST:PORT")
    return host.strip("[]"), int(port)
