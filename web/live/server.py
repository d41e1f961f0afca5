"""Serves an event's pages in the event loop in which it is played."""

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
from bridge_arena.web.live.channel import Channel
from bridge_arena.web.live.streams import StreamingProtocol

Channels = Callable[[], Iterable[Channel]]

ALIVE_SECONDS = 15.0
"""How often a silent stream says that it lives: proxies close what is silent for longer."""


@asynccontextmanager
async def serving(
    application: ASGIApp,
    listener: socket.socket,
    hosts: Collection[str] | None,
    channels: Channels,
) -> AsyncIterator[None]:
    """Answer at `listener` while the context is entered, to requests for one of `hosts`; None:
    whatever name a browser has for this machine. `channels`: all that can be followed."""
    config = uvicorn.Config(
        Guard(application, hosts),
        http=type("Limited", (StreamingProtocol,), {"limits": _limits(listener)}),
        ws="websockets-sansio",
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        # Anybody can send them.
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
    """Bound the connections of all; those of one address where it tells who comes, and not a proxy
    on this machine."""
    limits = ConnectionLimits()
    most = most_connections() // 2  # the bots need some too
    is_local = ip_address(listener.getsockname()[0]).is_loopback
    limits.room, limits.expected = (0, most) if is_local else (most, 0)
    return limits


async def _keep_alive(channels: Channels) -> None:
    """Say now and then on every stream that it lives."""
    while True:
        await asyncio.sleep(ALIVE_SECONDS)
        for channel in channels():
            await channel.keep_alive()
