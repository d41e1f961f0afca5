"""The connection to whoever sits in a seat: what a table needs of it, and that of a bot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import State

from bridge_arena.base.wording import one_line
from bridge_arena.protocol.messages import FAILED, MOST_REASON, ClientAction
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.session import ServerSession
from bridge_arena.server.players import UNREAD_BYTES


class LinkLostError(Exception):
    """The connection has ended; the message says how."""


class Link(Protocol):
    """A connection to a client that was admitted, and the dialogue over it.

    Only `receive` and `close` wait for the other end, so that nobody can hold up a table.
    """

    @property
    def name(self) -> str:
        """The name that the other end gives itself."""

    def send(self, outgoing: Outgoing, *, urgent: bool) -> None:
        """Queue a message for the next `flush`, or for a later one if it is not urgent."""

    def flush(self) -> bool:
        """Send what is due; return False, and send nothing, if too much was left unread."""

    async def receive(self) -> list[ClientAction]:
        """Wait for the next actions. Raises LinkLostError; ProtocolError for a wrong message."""

    async def ping(self) -> asyncio.Future[float] | None:
        """Send a ping, and return the future of its time in seconds; None if it cannot be sent."""

    def cut(self, code: int, reason: str) -> None:
        """Close the connection at once, and give a reason."""

    async def close(self) -> bool:
        """Close the connection in good order; return whether the other end received everything."""


@dataclass(frozen=True, eq=False, slots=True)
class ClientLink:
    """The link (`server.link.Link`) to a bot."""

    connection: ServerConnection
    session: ServerSession

    @property
    def name(self) -> str:
        """The bot's own name, and its version."""
        hello = self.session.hello
        return "" if hello is None else hello.program

    @property
    def is_open(self) -> bool:
        """Whether data may be sent: sending on a closing connection would wait for its end."""
        return self.connection.state is State.OPEN

    @property
    def is_clogged(self) -> bool:
        """Whether the other end leaves too much unread."""
        return self.connection.transport.get_write_buffer_size() > UNREAD_BYTES

    def send(self, outgoing: Outgoing, *, urgent: bool) -> None:
        """Queue a message for the next `flush`.

        A message that is not urgent waits for the next turn if the bot wants its events then.
        """
        self.session.send(outgoing.encoded, urgent=urgent)

    async def receive(self) -> list[ClientAction]:
        try:
            return self.session.receive(await self.connection.recv())
        except ConnectionClosed as closed:
            raise LinkLostError(self.session.masking.text(how_lost(closed))) from None

    async def ping(self) -> asyncio.Future[float] | None:
        if not self.is_open or self.is_clogged:
            return None
        return asyncio.ensure_future(await self.connection.ping())

    def flush(self) -> bool:
        if not self.session.is_due:
            return True
        if self.is_clogged:
            return False
        due = b""
        while (data := self.session.data_to_send()) is not None:
            due += Frame(Opcode.BINARY, data).serialize(mask=False)
        if self.is_open:
            # All in one piece, and not by `send` of the connection, which may wait for the client.
            self.connection.transport.write(due)
        return True

    def cut(self, code: int, reason: str) -> None:
        """Close the connection at once and give a reason; the other end may have died unnoticed."""
        protocol, transport = self.connection.protocol, self.connection.transport
        if self.is_open:
            protocol.send_close(code, reason.encode()[:MOST_REASON].decode(errors="ignore"))
            transport.write(b"".join(protocol.data_to_send()))
        transport.abort()

    async def close(self) -> bool:
        await self.connection.close()
        return self.connection.close_code != CloseCode.ABNORMAL_CLOSURE


def how_lost(closed: ConnectionClosed) -> str:
    """Return in words how a connection was lost; a client that failed may have told why."""
    farewell = closed.rcvd
    if farewell is not None and farewell.code == FAILED and farewell.reason:
        return f"connection lost ({one_line(farewell.reason)})"
    return f"connection lost ({closed})"
