"""Streams of server-sent events over connections of uvicorn.

Starlette begins the answer. The rest is written directly to the connection, as thousands of tasks
that each send the same bytes would take time that the play needs.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager, nullcontext
from typing import cast

import h11
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.web.live.channel import Channel

REQUEST_SECONDS = 10.0
"""Seconds that a connection may take for a request."""

_TRANSPORT = "arena.transport"


class StreamingProtocol(H11Protocol):
    """HTTP whose applications can reach the connection; a connection without a request is closed.

    A connection is counted by the limits from its first byte, until it ends or belongs to a player.
    """

    # Each server has a subclass in which this is set.
    limits: ConnectionLimits

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and wait for a request."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, _TRANSPORT: transport}
        self._waiting: asyncio.TimerHandle | None = None
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
        """Stop counting the connection."""
        self._stop_waiting()
        self.limits.sits_or_goes(self._visit)
        super().connection_lost(exc)

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

    def _close_if_silent(self) -> None:
        self._waiting = None
        # A WebSocket has a protocol of its own by now.
        if not self._is_answering and self in self.connections:
            self.transport.close()


class Stream(Response):
    """An answer without end: all changes of a channel, sent while a context is entered."""

    def __init__(
        self, channel: Channel, context: AbstractContextManager[None] | None = None
    ) -> None:
        self._channel = channel
        self._context = context or nullcontext()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the browser disconnects."""
        transport = cast("asyncio.Transport", scope["state"][_TRANSPORT])
        headers = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        # The head of the answer is sent with the first piece of its body.
        await send({"type": "http.response.body", "body": b": hello\n\n", "more_body": True})
        self._channel.add(transport)
        with self._context:
            try:
                while (await receive())["type"] != "http.disconnect":
                    pass
            except asyncio.CancelledError:
                pass  # the server must not wait for a browser that came while it was closing
            finally:
                self._channel.drop(transport)
                transport.close()
