"""A connection to a client that has said Hello, and the dialogue over it."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.protocol import State

from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.session import ClientAction, ServerSession
from bridge_arena.server.link import LinkLostError
from bridge_arena.server.players import UNREAD_BYTES

MOST_REASON = 123
"""How many bytes of a reason a websocket's close frame holds."""


@dataclass(frozen=True, eq=False, slots=True)
class ClientConnection:
    """The link (`server.link.Link`) to a bot."""

    connection: ServerConnection
    session: ServerSession

    @property
    def name(self) -> str:
        """What the bot calls itself, and its version."""
        hello = self.session.hello
        return "" if hello is None else f"{hello.name} {hello.bot_version}".strip()

    @property
    def is_open(self) -> bool:
        """Whether it may be sent something: where a connection is being closed, that would
        wait for the end of it."""
        return self.connection.state is State.OPEN

    @property
    def is_clogged(self) -> bool:
        """Whether the client leaves too much unread."""
        return self.connection.transport.get_write_buffer_size() > UNREAD_BYTES

    def send(self, outgoing: Outgoing, *, urgent: bool) -> None:
        """Have something sent by the next `flush`, or later where it is not `urgent` to a bot
        that wants events with its turn."""
        self.session.send(outgoing.encoded, urgent=urgent)

    async def receive(self) -> list[ClientAction]:
        """Wait for the next frame's actions. Raises LinkLostError and ProtocolError."""
        try:
            return self.session.receive(await self.connection.recv())
        except ConnectionClosed as closed:
            raise LinkLostError(f"connection lost ({closed})") from None

    async def ping(self) -> asyncio.Future[float] | None:
        """Ask for an answer at once; the seconds that it takes. None where nobody can be asked."""
        if not self.is_open or self.is_clogged:
            return None
        return asyncio.ensure_future(await self.connection.ping())

    async def flush(self) -> None:
        """Send what is due; there is room for it where the link is not clogged."""
        with contextlib.suppress(ConnectionClosed):
            while (data := self.session.data_to_send()) is not None:
                if self.is_open:
                    await self.connection.send(data)

    def cut(self, code: int, reason: str) -> None:
        """Close the connection at once, and say why: the other end may be dead without
        knowing."""
        protocol, transport = self.connection.protocol, self.connection.transport
        if self.is_open:
            protocol.send_close(code, reason.encode()[:MOST_REASON].decode(errors="ignore"))
            transport.write(b"".join(protocol.data_to_send()))
        transport.abort()

    async def close(self) -> bool:
        """Close the connection in good order; whether the other end heard all of it."""
        await self.connection.close()
        return self.connection.close_code != CloseCode.ABNORMAL_CLOSURE
