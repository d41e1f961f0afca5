"""A server of pages in the event loop of a test."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.types import ASGIApp

from bridge_arena.web.common.serving import local_hosts, serving
from bridge_arena.web.common.streams import Channel


@asynccontextmanager
async def served(
    application: ASGIApp, channels: Sequence[Channel], host: str = "127.0.0.1"
) -> AsyncIterator[int]:
    """The port of an application that listens at an address of this machine."""
    with socket.create_server((host, 0)) as listener:
        port: int = listener.getsockname()[1]
        async with serving(application, listener, local_hosts(port), lambda: channels):
            yield port
