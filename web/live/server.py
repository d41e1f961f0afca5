"""The server of an event's pages, in the event loop in which the event is played."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from ipaddress import ip_address

import uvicorn
from starlette.types import ASGIApp

from bridge_arena.protocol.messages import MAX_FRAME
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.open_files import most_connections
from bridge_arena.web.common.guard import Guard
from bridge_arena.web.common.quiet_server import QuietServer
from bridge_arena.web.common.same_user import SameUserProtocol
from bridge_arena.web.live.channel import Channel
from bridge_arena.web.live.guarded_websocket import GuardedWebSocket
from bridge_arena.web.live.streams import StreamingProtocol

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
        application: The application.
        listener: The socket.
        hosts: The hosts that requests may name; None for any.
        channels: Returns all channels that can be followed.
        only_me: Whether other users of this machine are cut off.

    Yields:
        Nothing.
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

    Args:
        listener: The socket.

    Returns:
        The limits.
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
