"""A server of pages in the event loop of a test."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.client import HTTPConnection

from starlette.types import ASGIApp

from bridge_arena.web.common.serving import local_hosts, serving
from bridge_arena.web.common.streams import Channel
from tests.patience import PATIENCE


@dataclass
class Answer:
    """A server's answer to a request."""

    status: int
    headers: Mapping[str, str]
    text: str


async def ask(
    port: int, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None
) -> Answer:
    """Ask a server of this machine; empty headers are left out."""

    def ask() -> Answer:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        sent = {name: value for name, value in headers.items() if value}
        connection.request(method, path, body, headers=sent)
        answer = connection.getresponse()
        found = Answer(answer.status, dict(answer.headers), answer.read().decode())
        connection.close()
        return found

    return await asyncio.to_thread(ask)


@asynccontextmanager
async def served(
    application: ASGIApp, channels: Sequence[Channel], host: str = "127.0.0.1"
) -> AsyncIterator[int]:
    """The port of an application that listens at an address of this machine."""
    with socket.create_server((host, 0)) as listener:
        port: int = listener.getsockname()[1]
        async with serving(application, listener, local_hosts(port), lambda: channels):
            yield port
