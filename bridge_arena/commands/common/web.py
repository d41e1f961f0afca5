"""`--web`: the pages of an event while it is played, and after."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import Annotated
from urllib.parse import urlsplit

import typer

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.signals import until_signalled
from bridge_arena.server.broadcast import LIVE
from bridge_arena.tournaments.events.broadcasts import broadcast_of
from bridge_arena.tournaments.schedule.finished_boards import FinishedBoards
from bridge_arena.tournaments.schedule.remaining import Remaining
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import Store

LOOPBACK = "127.0.0.1"

Web = Annotated[
    bool, typer.Option("--web", help="show the event in browsers while it is played, and after")
]
WebHost = Annotated[
    str, typer.Option("--web-host", help="the address of this machine that browsers come to")
]
WebPort = Annotated[
    int, typer.Option("--web-port", min=0, max=65535, help="of the pages; any that is free if 0")
]
WebUrl = Annotated[
    str,
    typer.Option(
        "--web-url",
        metavar="URL",
        help="what browsers call the pages, where a proxy is before them",
    ),
]


def _print(line: str) -> None:
    print(line, flush=True)


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """How people are treated who play. `announce`: is told, on a line that ends in the link, where
    each sits down. `hints`, `undo`: whether they may ask for hints, and take back what they did."""

    announce: Callable[[str], None] = _print
    hints: bool = False
    undo: bool = False


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Where the pages are to be. `url`: what browsers call them, ending in "/"; "" where that is
    the address of this machine."""

    host: str
    port: int
    url: str = ""

    @property
    def words(self) -> list[str]:
        """The options that say so."""
        host = ["--web-host", self.host] if self.host != LOOPBACK else []
        port = ["--web-port", str(self.port)] if self.port else []
        return ["--web", *host, *port, *(["--web-url", self.url] if self.url else [])]


def web_options(*, web: bool, host: str, port: int, url: str) -> WebOptions | None:
    """Return where the pages are to be; None where there are none. Raises UnusableError."""
    if not web:
        if host != LOOPBACK or port or url:
            raise UnusableError("--web-host, --web-port and --web-url need --web")
        return None
    return WebOptions(host, port, _public(url) if url else "")


_PORTS = {"http": 80, "https": 443}
"""Those that addresses leave out."""

_NAME = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
"""Those of machines; what has other letters is written as `xn--…` there."""


def _public(url: str) -> str:
    """Return an address as browsers write it. Raises UnusableError."""
    try:
        parts = urlsplit(url)
        name, port = parts.hostname or "", parts.port
    except ValueError:
        parts, name, port = urlsplit(""), "", None
    rest = ("@" in parts.netloc, parts.path.strip("/"), parts.query, parts.fragment)
    if parts.scheme not in _PORTS or not _NAME.fullmatch(name) or any(rest):
        raise UnusableError(
            f"--web-url {url}: expected http or https, a name, and at most a port, as in "
            "https://bridge.example.org"
        )
    host = f"[{name}]" if ":" in name else name
    where = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{where}/"


class Pages:
    """The pages of an event: hand `audience` to the hall, play in `serving`, and `stay` at the
    end. Raises UnusableError where the address cannot be had."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        where: WebOptions,
        people: PeopleOptions | None = None,
    ) -> None:
        # Only this needs the extra of the pages.
        from bridge_arena.web.event_pages import EventPages, address_of  # noqa: PLC0415
        from bridge_arena.web.live.arena import LiveArena  # noqa: PLC0415
        from bridge_arena.web.live.past import PastEvents  # noqa: PLC0415
        from bridge_arena.web.seat.desk import Desk  # noqa: PLC0415
        from bridge_arena.web.seat.offers import Offers  # noqa: PLC0415

        event = store.event()
        # Who may be told a card too early has to be told the address too.
        key = "" if broadcast_of(event).after_board else token_urlsafe(9)
        # Folders are for who sits at this machine; events of this one's neighbours are for who of
        # them is told the address.
        is_here = is_loopback(where.host) and not where.url
        results = str(folder) if is_here else ""
        past = PastEvents(folder, beside=bool(key)) if is_here else None
        listener = _listener(where)
        address = where.url or address_of(listener)
        if not is_here and not address.startswith("https:"):
            print(
                f"arena: whoever is on the way to {address} can read what is shown, and the cards "
                "of people who play: have a proxy with TLS before the pages, and give its address: "
                "--web-url https://NAME",
                file=sys.stderr,
            )
        people = people or PeopleOptions()
        desk = Desk(event, address, people.announce)
        played, held = played_before(store)
        listed = (past.rows(), past.own) if past else ((), "")
        self.audience = LiveArena(event, desk, played, held, *listed)
        offers = Offers(hints=people.hints, undo=people.undo, results=results)
        self._event_pages = EventPages(self.audience, desk, listener, key, past, offers)

    @property
    def address(self) -> str:
        """Where the lobby is."""
        return self._event_pages.address

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Show the event while the context is entered; all of it, if it comes to its end."""
        async with self._event_pages.serving():
            yield
            await self.audience.over()

    def stay(self) -> None:
        """Show what was played until Ctrl-C."""
        print(f"the pages stay at {self.address} until Ctrl-C", flush=True)
        with suppress(asyncio.CancelledError, KeyboardInterrupt):
            asyncio.run(self._stay())

    async def _stay(self) -> None:
        async with self._event_pages.serving():
            await until_signalled(asyncio.Event().wait())

    def close(self) -> None:
        """Give the address back."""
        self._event_pages.close()


PlayedUnits = list[tuple[Unit, BoardRecord]]


def played_before(store: Store) -> tuple[PlayedUnits, PlayedUnits]:
    """Return what was played of an event that is gone on with: what may be known, and what is held
    until the event is over, as its board is to be played again."""
    event, records = store.event(), dict(store.results())
    remaining = Remaining(event, records)
    finished = FinishedBoards(event, remaining.rounds, remaining.left)
    is_live = broadcast_of(event) == LIVE
    played: PlayedUnits = []
    held: PlayedUnits = []
    for unit in remaining.units:
        if unit.id in records:
            may_be_known = is_live or unit.board in finished
            (played if may_be_known else held).append((unit, records[unit.id]))
    return played, held


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listener(where: WebOptions) -> socket.socket:
    try:
        (family, *_, address), *_ = socket.getaddrinfo(
            where.host, where.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        return socket.create_server(address[:2], family=family, backlog=4096)
    except OSError as error:
        reason = error.strerror or error
        raise UnusableError(
            f"the pages cannot be at {where.host} port {where.port}: {reason}"
        ) from None
