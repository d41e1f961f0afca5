"""Clients that mean no good, over plain sockets: how far they come, and what they do then."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.messages import SUBPROTOCOL, Hello

REQUEST = (
    "GET / HTTP/1.1\r\nHost: arena\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n"
)


def upgrade(token: str) -> bytes:
    """A good handshake."""
    return f"{REQUEST}Authorization: Bearer {token}\r\n\r\n".encode()


def masked(payload: bytes) -> bytes:
    """A binary frame as a client sends it; the mask is zero."""
    size = len(payload)
    assert size < 2**16
    head = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return b"\x82" + head + bytes(4) + payload


HELLO = masked(frame([encode(Hello(name="hostile"))]))

STAGES: dict[str, Callable[[str], bytes]] = {
    "connected": lambda _: b"",
    "in the request": lambda token: upgrade(token)[:60],
    "before Hello": upgrade,
    "in the Hello": lambda token: upgrade(token) + HELLO[:9],
    "after Hello": lambda token: upgrade(token) + HELLO,
    "in a frame": lambda token: upgrade(token) + HELLO + masked(bytes(1000))[:500],
    "in the close": lambda token: upgrade(token) + HELLO + b"\x88\x82" + bytes(4) + b"\x03",
}
"""The stages of a hostile client with a good token, by what it has said."""

WAYS = ("is silent", "half-closes", "floods", "pings")
"""The behaviours after that stage: it never reads and never closes."""

FLOODS = {"floods": masked(b"garbage" * 100) * 20, "pings": (b"\x89\xfd" + bytes(129)) * 100}


class HostileClient:
    """One that is connected."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    async def come(self, stage: str, token: str) -> None:
        """Go on until `stage`."""
        await self.say(STAGES[stage](token))

    async def say(self, data: bytes) -> None:
        with suppress(OSError):  # it may have been cut
            await asyncio.get_running_loop().sock_sendall(self._connection, data)

    async def go_on(self, way: str) -> None:
        """In that way, until the connection is lost."""
        loop = asyncio.get_running_loop()
        with suppress(OSError):
            if way == "half-closes":
                self._connection.shutdown(socket.SHUT_WR)
            while way in FLOODS:
                await loop.sock_sendall(self._connection, FLOODS[way])


@asynccontextmanager
async def hostile_client(port: int, address: str = "127.0.0.1") -> AsyncIterator[HostileClient]:
    """It has little room for what it does not read, so that the server has to keep the rest."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.setblocking(False)  # noqa: FBT003 (the standard library's)
        connection.bind((address, 0))
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
        yield HostileClient(connection)
