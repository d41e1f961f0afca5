"""The pages of one event: everything that stands behind an address while it is played."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from urllib.parse import urlsplit

from bridge_arena.oracle.pool import Oracle
from bridge_arena.web.common.guard import local_hosts
from bridge_arena.web.live.application import LivePages
from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.live.kibitzing import Kibitzing
from bridge_arena.web.live.past import PastEvents
from bridge_arena.web.live.server import serving
from bridge_arena.web.seat.application import SeatPages
from bridge_arena.web.seat.desk import Desk
from bridge_arena.web.seat.offers import Offers


class EventPages:
    """Shows an event, from one event loop or from several after each other.

    `desk`: where the arena has people sit down. `listener`: where browsers come in. `key`: what the
    addresses begin with of those who watch, "" where anybody may see what is shown. `past`: what
    is over; None where that is nobody's business. `offers`: what people who play are offered.
    """

    def __init__(
        self,
        arena: LiveArena,
        desk: Desk,
        listener: socket.socket,
        key: str,
        past: PastEvents | None,
        offers: Offers,
    ) -> None:
        self.arena = arena
        self._desk = desk
        self._listener = listener
        self._key = key
        self._past = past
        self._offers = offers

    @property
    def address(self) -> str:
        """Where the lobby is."""
        return self._desk.address + self._key + "/" * bool(self._key)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Answer while the context is entered."""
        host, port = self._listener.getsockname()[:2]
        is_local = ip_address(host).is_loopback
        with Oracle(workers=1, background=True) as oracle:
            kibitzing = Kibitzing(oracle)
            pages = LivePages(self.arena, kibitzing)
            past = [] if self._past is None else [self._past.route(oracle)]
            boards = None if self._key else "../boards/"
            seats = SeatPages(self.arena, self._desk, kibitzing, boards, self._offers)
            application = pages.application(self._key, past, seats.routes())
            named = urlsplit(self._desk.address).netloc
            hosts = [*local_hosts(port, host), named] if is_local else None
            self.arena.wake()
            async with serving(application, self._listener, hosts, self.arena.channels):
                try:
                    yield
                finally:
                    kibitzing.close()

    def close(self) -> None:
        """Give the address back."""
        self._listener.close()


def address_of(listener: socket.socket) -> str:
    """Return what browsers call a server that listens there: where it listens at all addresses of
    this machine, by the machine's name."""
    host, port = listener.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = socket.gethostname()
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"
