"""`arena robot`: a bot as a robot that others ask over HTTP."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError, complain, unusable
from bridge_arena.commands.common.options import LOOPBACK, Host, Port, bot_names

if TYPE_CHECKING:
    from bridge_arena.bots.library.bidding_systems import System
    from bridge_arena.tournaments import Entry

PORT = 8085

_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\[\]:_-]+")


def robot(
    bot: Annotated[
        str, typer.Argument(help="the bot, named as for arena match", autocompletion=bot_names)
    ],
    host: Host = LOOPBACK,
    port: Port = PORT,
    seconds: Annotated[float, typer.Option(min=0.1, help="time for an answer, in seconds")] = 60.0,
    at_once: Annotated[
        int, typer.Option(min=1, max=16, help="positions that each seat works on at the same time")
    ] = 1,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="a site whose pages may read the answers: https://NAME; repeatable"
        ),
    ] = None,
) -> None:
    """Answer requests for calls and cards over HTTP.

    The requests are those of BEN's HTTP interface. The bot gets a process for each seat, and
    remembers nothing from one request to the next. Ctrl-C ends it.

    Examples:
        arena robot natural
        arena robot "cmd:python my_bot.py" --port 8090
        arena robot montecarlo --at-once 2 --origin https://bridge.example.org
    """
    from bridge_arena.commands.common.signals import run_until_signalled
    from bridge_arena.commands.common.web import is_loopback, listener_at
    from bridge_arena.server.gateway import GatewayError
    from bridge_arena.server.supervisor import StartError
    from bridge_arena.tournaments.play.seating.seats import SeatingError
    from bridge_arena.web.robot.application import RobotRequests, serve_robot
    from bridge_arena.web.robot.bot_decider import BotDecider

    if not isfinite(seconds):
        raise UnusableError(f"--seconds is {seconds}, expected a number of seconds")
    for site in origin or ():
        if not _ORIGIN.fullmatch(site):
            raise UnusableError(f"--origin {site}: expected https://NAME, without a path")
    entry = _entry(bot)
    system = _system(entry)
    listener = listener_at(host, port)
    if not is_loopback(host):
        complain(
            f"whoever can reach {host} port {port} can ask the bot, and whoever is on the way can "
            "read the cards: it has neither keys nor TLS"
        )

    def on_ready() -> None:
        address, number = listener.getsockname()[:2]
        place = f"[{address}]" if ":" in address else address
        print(f"{entry.name} answers at http://{place}:{number} (Ctrl-C ends it)", flush=True)

    async def serve() -> None:
        async with BotDecider(entry, at_once, seconds, complain).running() as decider:
            requests = RobotRequests(decider.decide, entry.name, system)
            await serve_robot(requests, listener, origin or (), on_ready)

    with listener:
        try:
            run_until_signalled(serve())
        except (StartError, SeatingError, GatewayError) as error:
            raise UnusableError(str(error)) from None
        except KeyboardInterrupt:
            pass  # so it ends


def _entry(text: str) -> Entry:
    """Return the bot that is asked. Raises UnusableError."""
    from bridge_arena.commands.common.event_run import check_started
    from bridge_arena.tournaments import Access, EntryError, parse_entry

    with unusable(EntryError):
        entry = parse_entry(text)
    check_started([entry])
    if entry.access is Access.HUMAN:
        raise UnusableError(f"{text} is a person, whom no robot can ask")
    if entry.cheat:
        raise UnusableError(f"{entry.name} must see all hands, which nobody tells a robot")
    return entry


def _system(entry: Entry) -> System | None:
    """Return the bidding system of a bot that ships; None if it has none, or for a program."""
    from bridge_arena.bots.library.bidding_systems import BiddingBot
    from bridge_arena.bots.registry import parse

    if not entry.ships:
        return None
    _, make = parse(entry.command[-1])  # what its processes are told
    made = make()
    return made.system if isinstance(made, BiddingBot) else None
