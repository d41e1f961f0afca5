"""`--web`: the pages of an event while it is played, and after."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import Annotated

import typer

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.signals import until_signalled
from bridge_arena.tournaments.events.broadcasts import broadcast_of
from bridge_arena.tournaments.schedule.finished_boards import FinishedBoards
from bridge_arena.tournaments.schedule.remaining import Remaining
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


def _print(line: str) -> None:
    print(line, flush=True)


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """How people are treated who play. `announce`: is told, on a line that ends in the link, where
    each sits down. `hints`: whether they may ask for some."""

    announce: Callable[[str], None] = _print
    hints: bool = False


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Where the pages are to be."""

    host: str
    port: int


def web_options(*, web: bool, host: str, port: int) -> WebOptions | None:
    """Return where the pages are to be; None where there are none. Raises UnusableError."""
    if not web:
        if host != LOOPBACK or port:
            raise UnusableError("--web-host and --web-port need --web")
        return None
    return WebOptions(host, port)


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
        from bridge_arena.web.live.arena import LiveArena  # noqa: PLC0415
        from bridge_arena.web.live.event_pages import EventPages, address_of  # noqa: PLC0415
        from bridge_arena.web.live.past import PastEvents  # noqa: PLC0415
        from bridge_arena.web.seat.desk import Desk  # noqa: PLC0415

        event = store.event()
        # Who may be told a card too early has to be told the address too.
        key = "" if broadcast_of(event).after_board else token_urlsafe(9)
        # The events of this folder's neighbours are for who sits at this machine, and is told.
        past = PastEvents(folder) if key and is_loopback(where.host) else None
        listener = _listener(where)
        people = people or PeopleOptions()
        desk = Desk(event, address_of(listener), people.announce)
        self.audience = LiveArena(event, desk, known(store), past.rows() if past else ())
        self._event_pages = EventPages(self.audience, listener, key, past, hints=people.hints)

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


def known(store: Store) -> dict[str, BoardRecord]:
    """Return what may be known of an event that is gone on with: no board that is to be played."""
    event, records = store.event(), dict(store.results())
    remaining = Remaining(event, records)
    finished = FinishedBoards(event, remaining.rounds, remaining.left)
    return {
        unit.id: records[unit.id]
        for unit in remaining.units
        if unit.id in records and unit.board in finished
    }


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
