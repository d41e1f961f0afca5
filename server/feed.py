"""Those who watch a table: they see all hands, and never hold up the play."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from bridge_arena.protocol.codec import encode
from bridge_arena.protocol.messages import Goodbye, Hello, Welcome
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.session import ServerSession
from bridge_arena.protocol.snapshot import SoFar
from bridge_arena.protocol.visibility import Kibitzer
from bridge_arena.server.client_connection import ClientConnection
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.seating import SeatRefusedError

MOST_KIBITZERS = 32
"""How many may watch one table."""


class Feed:
    """What happens at a table, for its kibitzers. Whoever comes, or comes back, is told the
    board so far; who does not read is left behind."""

    def __init__(self, welcome: Welcome) -> None:
        self.welcome = welcome
        self.viewer = Kibitzer()
        self._so_far = SoFar()
        self._watching: list[ClientConnection] = []
        # Whether they say anything: one for each.
        self._hearing: set[asyncio.Future[None]] = set()

    @property
    def watching(self) -> int:
        """How many do."""
        return len(self._watching)

    # For the table's driver.

    def tell(self, outgoing: Outgoing) -> None:
        self._so_far.take(outgoing)
        for each in self._watching:
            each.session.send(outgoing.encoded, urgent=True)

    async def flush(self) -> None:
        for each in list(self._watching):
            if each.is_clogged:
                self.lose(each.connection, "it does not read")
                each.connection.transport.abort()
            else:
                await each.flush()

    # For the gateway.

    async def attach(self, connection: ServerConnection, session: ServerSession) -> None:
        session.welcome(self.welcome)
        snapshot = self._so_far.snapshot()
        if snapshot is not None:
            session.send(encode(snapshot), urgent=True)
        link = ClientConnection(connection, session)
        self._watching.append(link)
        await self.flush()
        hearing = asyncio.ensure_future(_hush(link))
        self._hearing.add(hearing)
        hearing.add_done_callback(self._hearing.discard)

    def lose(self, connection: ServerConnection, why: str) -> None:
        del why
        self._watching = [each for each in self._watching if each.connection is not connection]

    async def say_goodbye(self, reason: str) -> None:
        """End all sessions in good order."""
        self.tell(Outgoing.of(Goodbye(reason=reason)))
        await self.flush()
        await asyncio.gather(*(each.connection.close() for each in self._watching))


async def _hush(link: ClientConnection) -> None:
    """A kibitzer has nothing to say: who does is sent away."""
    with contextlib.suppress(ConnectionClosed):
        await link.connection.recv()
        link.cut(1008, "kibitzers have nothing to say")


class Gallery:
    """The tables that a kibitzer's token opens, by `Hello.table`."""

    def __init__(self, feeds: Sequence[Feed]) -> None:
        self._feeds = feeds
        # How many may watch in all: fewer where the system lets this process have few files.
        self.room = MOST_KIBITZERS * len(feeds)

    def claim(self, hello: Hello) -> Feed:
        """Raises SeatRefusedError."""
        for feed in self._feeds:
            if hello.table in ("", feed.welcome.table):
                if feed.watching >= MOST_KIBITZERS:
                    raise SeatRefusedError(f"too many watch {feed.welcome.table}")
                if sum(each.watching for each in self._feeds) >= self.room:
                    raise SeatRefusedError("too many watch")
                return feed
        tables = ", ".join(feed.welcome.table for feed in self._feeds)
        raise SeatRefusedError(f"there is no table {hello.table!r} (there are: {tables})")

    def complain(self, fault: SeatFault) -> None:
        """It was but an attempt."""
