"""The server of an event's pages, in the event loop in which the event is played.

A client that misbehaves cannot keep the WebSocket of a seat open, as bots cannot theirs.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from ipaddress import ip_address

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bridge_arena.protocol.messages import MAX_FRAME
from bridge_arena.server.connection_limits import ConnectionLimits, most_connections
from bridge_arena.server.guarded_connection import MOST_UNREAD
from bridge_arena.web.common.serving import Guard, QuietServer, SameUserProtocol
from bridge_arena.web.live.channel import Channel
from bridge_arena.web.live.streams import StreamingProtocol

CLOSE_SECONDS = 2.0
"""Seconds that a client may take to let a connection close that is done with."""


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn that is cut when its client does not read or does not close."""

    def data_received(self, data: bytes) -> None:
        """Receive data, and cut a connection whose answers to pings are not read."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Cut the connection unless it is closed soon, which waits until all is read."""
        super().on_task_complete(task)
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


Channels = Callable[[], Iterable[Channel]]

ALIVE_SECONDS = 15.0
"""Seconds after which a silent stream sends a sign of life, as proxies close silent streams."""


@asynccontextmanager
async def serving(
    application: ASGIApp,
    listener: socket.socket,
    hosts: Collection[str] | None,
    channels: Channels,
    *,
    only_me: bool = False,
) -> AsyncIterator[None]:
    """Answer requests while the context is entered.

    Args:
        hosts: The hosts that requests may name; None for any.
    """
    protocols = (SameUserProtocol, StreamingProtocol) if only_me else (StreamingProtocol,)
    config = uvicorn.Config(
        Guard(application, hosts),
        http=type("Limited", protocols, {"limits": _limits(listener)}),
        ws=GuardedWebSocket,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        # Anybody can send these headers.
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        backlog=4096,
    )
    server = QuietServer(config)
    running = asyncio.create_task(server.serve(sockets=[listener.dup()]))
    alive = asyncio.create_task(_keep_alive(channels))
    try:
        yield
    finally:
        alive.cancel()
        for channel in channels():
            channel.close()
        server.stop()
        await running


def _limits(listener: socket.socket) -> ConnectionLimits:
    """Return the limits of connections.

    They bound all connections, and those of each address unless all may come from a proxy on this
    machine.
    """
    limits = ConnectionLimits()
    most = most_connections() // 2  # the other half is for bots
    is_local = ip_address(listener.getsockname()[0]).is_loopback
    limits.room, limits.expected = (0, most) if is_local else (most, 0)
    return limits


async def _keep_alive(channels: Channels) -> None:
    """Send a sign of life on every stream from time to time."""
    while True:
        await asyncio.sleep(ALIVE_SECONDS)
        for channel in channels():
            await channel.keep_alive()
