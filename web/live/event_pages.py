"""The pages of one event: everything that stands behind an address while it is played."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bridge_arena.oracle.pool import Oracle
from bridge_arena.web.common.guard import local_hosts
from bridge_arena.web.live.application import LivePages
from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.live.kibitzing import Kibitzing
from bridge_arena.web.live.past import PastEvents
from bridge_arena.web.live.server import serving


class EventPages:
    """Shows an event, from one event loop or from several after each other.

    `listener`: where browsers come in. `key`: what the addresses begin with, "" where anybody may
    see what is shown. `past`: other events; None where those are nobody's business.
    """

    def __init__(
        self,
        arena: LiveArena,
        listener: socket.socket,
        key: str,
        past: PastEvents | None = None,
    ) -> None:
        self.arena = arena
        self._listener = listener
        self._key = key
        self._past = past

    @property
    def address(self) -> str:
        """Where the lobby is."""
        host, port = self._listener.getsockname()[:2]
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{port}/{self._key}{'/' * bool(self._key)}"

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Answer while the context is entered."""
        host, port = self._listener.getsockname()[:2]
        is_local = host in ("127.0.0.1", "::1")
        with Oracle(workers=1, background=True) as oracle:
            kibitzing = Kibitzing(oracle)
            pages = LivePages(self.arena, kibitzing)
            past = [] if self._past is None else [self._past.route(oracle)]
            application = pages.application(self._key, past)
            hosts = local_hosts(port) if is_local else None
            self.arena.wake()
            async with serving(application, self._listener, hosts, self.arena.channels):
                try:
                    yield
                finally:
                    kibitzing.close()

    def close(self) -> None:
        """Give the address back."""
        self._listener.close()
