"""Streams for many browsers: encoded once, and written directly to their connections.

A channel is a stream of server-sent events (WHATWG HTML, section 9.2). A new browser is sent the
present state, then every change of it. Changes within `GATHERED` seconds are sent together.
Connections are written to in batches, between which the event loop does other work, so that a crowd
does not hold up the play. A browser that does not read is dropped.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence

GATHERED = 0.05
"""Seconds in which changes are gathered before they are sent."""

UNREAD_BYTES = 256 * 1024
"""The bytes that a browser may leave unread, beyond what the network holds; at more it is
dropped."""

_BATCH = 100

State = Callable[[], Mapping[str, object]]


class Channel:
    """The changes of one state, for all who watch it."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._streams: dict[asyncio.Transport, None] = {}
        # Encoded changes with their numbers; the state for a newcomer may include some of them.
        self._changes: list[str] = []
        self.number = 0  # the number of the last change
        self._sending: asyncio.Task[None] | None = None
        # The encoded state for newcomers; None if it has changed since.
        self._first: bytes | None = None

    @property
    def watching(self) -> int:
        """The number of connections."""
        return len(self._streams)

    def change(self, change: Mapping[str, object]) -> None:
        """Tell all who watch of a change that the state already has."""
        self._first = None
        self.number += 1
        if self._streams:
            # Encoded at once, as the values of the change may grow before it is sent.
            self._changes.append(_encoded(self.number, change))
            if self._sending is None or self._sending.done():
                self._sending = asyncio.create_task(self._send())

    def renew(self) -> None:
        """Send the whole state to all who watch, as it is another one."""
        self._changes.clear()
        self.change({"state": self._state()})

    def add(self, transport: asyncio.Transport) -> None:
        """Begin to send to a connection, whose answer has begun."""
        if self._first is None:
            self._first = chunk([_encoded(self.number, {"state": self._state()})])
        self._streams[transport] = None
        transport.write(self._first)

    def drop(self, transport: asyncio.Transport) -> None:
        """Stop sending to a connection."""
        self._streams.pop(transport, None)

    def close(self) -> None:
        """End all streams; browsers reconnect by themselves."""
        if self._sending is not None:
            self._sending.cancel()
        for transport in self._streams:
            transport.write(_END)
            transport.close()
        self._streams.clear()

    async def _send(self) -> None:
        while self._changes:
            await asyncio.sleep(GATHERED)
            changes, self._changes = self._changes, []
            if changes:
                await self._write(chunk(changes))

    async def keep_alive(self) -> None:
        """Send a sign of life."""
        await self._write(_ALIVE)

    async def _write(self, data: bytes) -> None:
        for number, transport in enumerate(list(self._streams), start=1):
            if transport.is_closing():
                self.drop(transport)
            elif transport.get_write_buffer_size() > UNREAD_BYTES:
                self.drop(transport)
                transport.abort()
            else:
                transport.write(data)
            if not number % _BATCH:
                await asyncio.sleep(0)


def chunk(changes: Sequence[str]) -> bytes:
    """Return numbered changes as a server-sent event in one HTTP chunk (RFC 9112, section 7.1)."""
    return _chunk(f"data: [{','.join(changes)}]\n\n".encode())


def _encoded(number: int, change: Mapping[str, object]) -> str:
    return json.dumps([number, change], ensure_ascii=False, separators=(",", ":"))


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


_ALIVE = _chunk(b": alive\n\n")
_END = b"0\r\n\r\n"
"""The chunk that ends an answer."""
