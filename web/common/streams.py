"""Streams for many browsers: encoded once, and written directly to their connections of uvicorn.

Starlette begins an answer. The rest is written directly, as thousands of tasks that each send the
same bytes would take time that the play needs.

A channel is a stream of server-sent events (WHATWG HTML, section 9.2). A new browser is sent the
present state, then every change of it. Changes within `GATHERED` seconds are sent together.
Connections are written to in batches, between which the event loop does other work, so that a crowd
does not hold up the play. A browser that does not read is dropped.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TypeVar, cast

import h11
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bridge_arena.server.connection_limits import ConnectionLimits

REQUEST_SECONDS = 10.0
"""Seconds that a connection may take for a request."""

UNREAD_SECONDS = 60.0
"""Seconds in which a client has to read something, if much is left of its answer."""

_TRANSPORT = "arena.transport"

T = TypeVar("T")


class StreamingProtocol(H11Protocol):
    """HTTP whose applications can reach the connection; a connection without a request is closed.

    A connection is counted by the limits from its first byte, until it ends or belongs to a player.
    """

    # Each server has a subclass in which this is set.
    limits: ConnectionLimits

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, _TRANSPORT: transport}
        self._waiting: asyncio.TimerHandle | None = None
        # Looks whether the client has read something; None if not much is left to read.
        self._unread: asyncio.TimerHandle | None = None
        self._visit = self.limits.comes(self.client[0] if self.client else "", transport.abort)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Receive data; a request that is begun must be complete soon."""
        super().data_received(data)
        if self._is_answering:
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._forget_unread()
        self.limits.sits_or_goes(self._visit)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Stop writing, as the client does not read, and cut it if it goes on like that."""
        super().pause_writing()
        self._watch_reading()

    def resume_writing(self) -> None:
        """Go on with writing, as the client has read."""
        self._forget_unread()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection, which waits until all is read, but not for ever."""
        super().timeout_keep_alive_handler()
        if self.transport.get_write_buffer_size():
            self._watch_reading()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Stop counting the connection, as only a client with a seat keeps a WebSocket."""
        self.limits.sits_or_goes(self._visit)
        super().handle_websocket_upgrade(event)
        websocket = cast("WebSocketsSansIOProtocol", self.transport.get_protocol())
        if not websocket.handshake_initiated:
            # Its parser accepts fewer requests than this one, and would wait for more data.
            self.transport.close()

    @property
    def _is_answering(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(REQUEST_SECONDS, self._close_if_silent)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _watch_reading(self) -> None:
        self._forget_unread()
        unread = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self._cut_unless_read, unread)

    def _cut_unless_read(self, unread: int) -> None:
        if self.transport.get_write_buffer_size() < unread:
            self._watch_reading()
        else:
            self.transport.abort()

    def _forget_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _close_if_silent(self) -> None:
        self._waiting = None
        # A WebSocket has a protocol of its own by now.
        if not self._is_answering and self in self.connections:
            self.transport.close()


class Stream(Response):
    """An answer without end: all that is broadcast, sent while a context is entered.

    Args:
        channel: What is broadcast.
        context: The context; None for none.
        add: Adds the connection; None for the channel's own way.
        shared: More headers of the answer.
    """

    def __init__(
        self,
        channel: Broadcast,
        context: AbstractContextManager[None] | None = None,
        add: Callable[[asyncio.Transport], None] | None = None,
        shared: Mapping[str, str] | None = None,
    ) -> None:
        self._channel = channel
        self._context = context or nullcontext()
        self._add = add or channel.add
        self._shared = shared or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        transport = cast("asyncio.Transport", scope["state"][_TRANSPORT])
        headers = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]
        headers += [(name.encode(), value.encode()) for name, value in self._shared.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "HEAD":  # what followed would be taken for the answer to another one
            await send({"type": "http.response.body", "body": b""})
            return
        # The head of the answer is sent with the first piece of its body.
        await send({"type": "http.response.body", "body": b": hello\n\n", "more_body": True})
        self._add(transport)
        with self._context:
            try:
                while (await receive())["type"] != "http.disconnect":
                    pass
            except asyncio.CancelledError:
                pass  # the server must not wait for a browser that came while it was closing
            finally:
                self._channel.drop(transport)
                transport.close()


GATHERED = 0.05
"""Seconds in which changes are gathered before they are sent."""

UNREAD_BYTES = 256 * 1024
"""The bytes that a browser may leave unread, beyond what the network holds; at more it is
dropped."""

_BATCH = 100

State = Callable[[], Mapping[str, object]]


class Encoded(list[T]):
    """A list that changes no more, as a value of a state: it is encoded once for all newcomers."""

    @cached_property
    def json(self) -> str:
        return _json(self)


class Broadcast:
    """The connections that are sent the same."""

    def __init__(self) -> None:
        self._streams: dict[asyncio.Transport, None] = {}

    @property
    def watching(self) -> int:
        return len(self._streams)

    def add(self, transport: asyncio.Transport) -> None:
        """Begin to send to a connection, whose answer has begun."""
        self._streams[transport] = None

    def drop(self, transport: asyncio.Transport) -> None:
        self._streams.pop(transport, None)

    def close(self) -> None:
        """End all streams; browsers reconnect by themselves."""
        for transport in self._streams:
            transport.write(_END)
            transport.close()
        self._streams.clear()

    async def keep_alive(self) -> None:
        await self.write(_ALIVE)

    async def write(self, data: bytes) -> None:
        """Send chunks of HTTP to all."""
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


class Channel(Broadcast):
    """The changes of one state, for all who watch it."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state
        # Encoded changes with their numbers; the state for a newcomer may include some of them.
        self._changes: list[str] = []
        self.number = 0  # the number of the last change
        self._sending: asyncio.Task[None] | None = None
        # The encoded state for newcomers; None if it has changed since.
        self._first: bytes | None = None

    def change(self, change: Mapping[str, object]) -> None:
        """Tell all who watch of a change that the state already has."""
        self._first = None
        self.number += 1
        if self._streams:
            # Encoded at once, as the values of the change may grow before it is sent.
            self._changes.append(_json([self.number, change]))
            if self._sending is None or self._sending.done():
                self._sending = asyncio.create_task(self._send())

    def renew(self) -> None:
        """Send the whole state to all who watch, as it is another one."""
        self.change({"state": self._state()})

    def add(self, transport: asyncio.Transport) -> None:
        """Begin to send to a connection, whose answer has begun."""
        if self._first is None:
            values = (
                f"{_json(key)}:{value.json if isinstance(value, Encoded) else _json(value)}"
                for key, value in self._state().items()
            )
            state = f'[{self.number},{{"state":{{{",".join(values)}}}}}]'
            self._first = chunk([state])
        super().add(transport)
        transport.write(self._first)

    def close(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
        super().close()

    async def _send(self) -> None:
        while self._changes:
            await asyncio.sleep(GATHERED)
            changes, self._changes = self._changes, []
            if changes:
                await self.write(chunk(changes))


def chunk(changes: Sequence[str]) -> bytes:
    """Return numbered changes as a server-sent event in one HTTP chunk (RFC 9112, section 7.1)."""
    return http_chunk(f"data: [{','.join(changes)}]\n\n".encode())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def http_chunk(data: bytes) -> bytes:
    """Return a chunk of an answer (RFC 9112, section 7.1)."""
    return b"%x\r\n%b\r\n" % (len(data), data)


_ALIVE = http_chunk(b": alive\n\n")
_END = b"0\r\n\r\n"
"""The chunk that ends an answer."""
