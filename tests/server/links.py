"""A connection without a network, for tests of what happens over it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, cast

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosedError
from websockets.protocol import State

from bridge_arena.protocol.codec import decode_server
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.messages import ClientAction, Hello, ServerMessage
from bridge_arena.protocol.session import ClientSession, ServerSession
from bridge_arena.server.link import ClientLink


class FakeConnection:
    """The server's end: what it uses of a websocket. Whoever has its other end finds what
    was `sent`, and may `say` something, or `break_off`."""

    def __init__(self) -> None:
        self.state = State.OPEN
        self.sent: list[bytes] = []
        self.writes = 0  # how often something was written to the network
        # How the server closed it; None while it did not.
        self.closed_with: tuple[int, str] | None = None
        # How much of what was sent is said to be unread, in bytes.
        self.unread = 0
        self.transport = self.protocol = self
        self._said: asyncio.Queue[bytes | None] = asyncio.Queue()

    @property
    def server_end(self) -> ServerConnection:
        return cast(ServerConnection, self)

    # The other end.

    def say(self, data: bytes) -> None:
        self._said.put_nowait(data)

    @property
    def is_heard(self) -> bool:
        """Whether the server has taken in all that was said."""
        return self._said.empty()

    def break_off(self) -> None:
        self.state = State.CLOSED
        self._said.put_nowait(None)

    # The websocket.

    async def recv(self) -> bytes:
        data = await self._said.get()
        if data is None:
            self._said.put_nowait(None)
            raise ConnectionClosedError(None, None)
        return data

    async def send(self, data: bytes) -> None:
        self.sent.append(data)

    async def close(self) -> None:
        self.break_off()

    # Its protocol and transport.

    def send_close(self, code: int, reason: str) -> None:
        self.closed_with = (code, reason)

    def data_to_send(self) -> list[bytes]:
        return []

    def write(self, data: bytes) -> None:
        """Take whole frames, each with its header."""
        assert self.state is State.OPEN
        self.writes += bool(data)
        while data:
            size, start = data[1], 2
            if size >= 126:
                start = 4 if size == 126 else 10
                size = int.from_bytes(data[2:start], "big")
            self.sent.append(data[start : start + size])
            data = data[start + size :]

    def abort(self) -> None:
        self.break_off()

    def get_write_buffer_size(self) -> int:
        return self.unread


class Client:
    """A client at the other end of such a connection; `session`: the one to go on with."""

    def __init__(
        self, delivery: Delivery = Delivery.LIVE, session: ClientSession | None = None
    ) -> None:
        self.connection = FakeConnection()
        self.delivery = delivery
        self.session = session or ClientSession("client", delivery=delivery)
        self.heard: list[ServerMessage] = []
        # The server's link to it, once it is attached.
        self.link: ClientLink

    async def attach(self, guest: Any, *, listen: bool = True) -> None:
        """Say Hello, and take the place of a guest."""
        server = ServerSession()
        server.receive(self.session.hello())
        assert isinstance(server.hello, Hello)
        self.link = ClientLink(self.connection.server_end, server)
        await guest.attach(self.link)
        if listen:
            self.listen()

    def listen(self) -> list[ServerMessage]:
        """Read what was sent."""
        new: list[ServerMessage] = []
        for data in self.connection.sent:
            new += self.read(data)
        self.connection.sent.clear()
        self.heard += new
        return new

    def read(self, data: bytes) -> Iterable[ServerMessage]:
        return self.session.receive(data)

    def say(self, *actions: ClientAction) -> None:
        for action in actions:
            self.connection.say(self.session.send(action))

    def lose(self, guest: Any, why: str = "lost") -> None:
        self.connection.break_off()
        guest.lose(self.link, why)


class Onlooker(Client):
    """A spectator."""

    def read(self, data: bytes) -> Iterable[ServerMessage]:
        return decode_server(data)
