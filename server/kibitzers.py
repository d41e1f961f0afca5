"""Spectators who watch tables over WebSockets, with a token for kibitzers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Sequence

from websockets.exceptions import ConnectionClosed

from bridge_arena.protocol.codec import encode, frames
from bridge_arena.protocol.messages import Hello
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.feed import Feed, FellBehindError, Watching
from bridge_arena.server.link import ClientLink
from bridge_arena.server.seating import SeatRefusedError

MOST_KIBITZERS = 32
"""The number of kibitzers who may watch one table."""

READ_SECONDS = 10.0
"""Seconds that a kibitzer may take to read what it is sent, before it is cut off."""


class Balcony:
    """The kibitzers of one table.

    One who comes, or comes back, is told the present board so far. One who does not read is cut
    off.
    """

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self._watching: set[ClientLink] = set()
        # The task that shows each of them the events, and the tasks that listen to them.
        self._showing: dict[ClientLink, asyncio.Task[None]] = {}
        self._hearing: set[asyncio.Task[None]] = set()

    @property
    def watching(self) -> int:
        """The number of kibitzers."""
        return len(self._watching)

    async def attach(self, link: ClientLink) -> None:
        """Begin to show the table to a client that has said Hello."""
        link.session.welcome(self.feed.welcome)
        snapshot = self.feed.snapshot()
        if snapshot is not None:
            link.session.send(encode(snapshot), urgent=True)
        self._watching.add(link)
        watching = self.feed.watch(after=self.feed.number)
        link.flush()
        self._showing[link] = asyncio.create_task(_show(link, watching))
        hearing = asyncio.create_task(_hush(link))
        self._hearing.add(hearing)
        hearing.add_done_callback(self._hearing.discard)

    def lose(self, link: ClientLink, why: str) -> None:
        """Stop showing the table to a client whose connection is lost."""
        del why
        self._watching.discard(link)
        showing = self._showing.pop(link, None)
        if showing is not None:
            showing.cancel()

    @property
    def showing(self) -> Collection[asyncio.Task[None]]:
        """The tasks of the kibitzers, each done when one has read all of the feed or is cut off."""
        return self._showing.values()


async def _show(link: ClientLink, watching: Watching) -> None:
    """Send the events to a kibitzer until the end of the feed."""
    try:
        async for events in watching:
            for data in frames([event.encoded for event in events]):
                async with asyncio.timeout(READ_SECONDS):
                    await link.connection.send(data)
    except (FellBehindError, TimeoutError):
        link.connection.transport.abort()
    except ConnectionClosed:
        pass
    else:
        await link.connection.close()


async def _hush(link: ClientLink) -> None:
    """Cut off a kibitzer who sends anything."""
    with contextlib.suppress(ConnectionClosed):
        await link.connection.recv()
        link.cut(1008, "kibitzers have nothing to say")


class Kibitzers:
    """The tables that a kibitzer's token opens, by `Hello.table`."""

    def __init__(self, feeds: Sequence[Feed]) -> None:
        self.balconies = [Balcony(feed) for feed in feeds]
        # The number of kibitzers in all; smaller if this process may open few files.
        self.room = MOST_KIBITZERS * len(feeds)

    def claim(self, hello: Hello) -> Balcony:
        """Return the balcony that is asked for; SeatRefusedError if there is none or it is full."""
        for balcony in self.balconies:
            table = balcony.feed.welcome.table
            if hello.table in ("", table):
                if balcony.watching >= MOST_KIBITZERS:
                    raise SeatRefusedError(f"too many watch {table}")
                if sum(balcony.watching for balcony in self.balconies) >= self.room:
                    raise SeatRefusedError("too many watch")
                return balcony
        tables = ", ".join(balcony.feed.welcome.table for balcony in self.balconies)
        raise SeatRefusedError(f"there is no table {hello.table!r} (there are: {tables})")

    def complain(self, fault: SeatFault) -> None:
        """Do nothing: nobody misses a kibitzer who does not come."""

    async def see_out(self, seconds: float) -> None:
        """Wait until all have read to the end of their feeds, which are over; `seconds` at most."""
        showing = [task for balcony in self.balconies for task in balcony.showing]
        if showing:
            await asyncio.wait(showing, timeout=seconds)
