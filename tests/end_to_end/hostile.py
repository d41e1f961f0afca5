"""Clients that mean no good to an event, over plain sockets; they never close."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.messages import SUBPROTOCOL, Hello

WAYS = ("is silent", "half-closes", "floods", "pings", "drips")

FLOODS = {
    "floods": b"\x82\xfe\x02\xbc" + bytes(4) + b"garbage" * 100,
    "pings": b"\x89\xfd" + bytes(129),
}
"""Frames that it sends without end."""

DRIP = b"\x82\xfe\xff\xff" + bytes(4) + bytes(2**16)
"""A frame of which it sends a byte now and then."""


def upgrade(token: str) -> bytes:
    """Return a valid handshake."""
    lines = [
        "GET / HTTP/1.1",
        "Host: arena",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Sec-WebSocket-Protocol: {SUBPROTOCOL}",
        f"Authorization: Bearer {token}",
    ]
    return "\r\n".join([*lines, "\r\n"]).encode()


def hello(seat: str = "") -> bytes:
    """A frame that says Hello, as a client sends it; the mask is zero."""
    said = Hello(name="hostile", seat=Seat.parse(seat) if seat else None)
    payload = frame([encode(said)])
    assert len(payload) < 126
    return bytes([0x82, 0x80 | len(payload)]) + bytes(4) + payload


class HostileClient:
    """Return a connected client."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._over = Event()
        self._behaving: Thread | None = None

    def say(self, data: bytes) -> None:
        self._connection.sendall(data)

    def answer(self) -> bytes:
        """The beginning of what the server answers."""
        return self._connection.recv(4096)

    def go_on(self, way: str) -> None:
        """Misbehave in this way until stopped."""
        self._behaving = Thread(target=self._behave, args=(way,))
        self._behaving.start()

    def stop(self) -> None:
        self._over.set()
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        if self._behaving is not None:
            self._behaving.join()

    def _behave(self, way: str) -> None:
        with suppress(OSError):  # it was cut
            if way == "half-closes":
                self._connection.shutdown(socket.SHUT_WR)
            while way in FLOODS:
                self._connection.sendall(FLOODS[way] * 20)
            sent = 0
            while way == "drips" and not self._over.wait(0.1):
                sent += self._connection.send(DRIP[sent : sent + 1])


@contextmanager
def hostile_client(port: int, address: str = "127.0.0.1") -> Iterator[HostileClient]:
    """Use a small receive buffer, so that the server has to keep what the client does not read."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.bind((address, 0))
        connection.connect(("127.0.0.1", port))
        client = HostileClient(connection)
        try:
            yield client
        finally:
            client.stop()
