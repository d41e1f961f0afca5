"""A connection to a client that has said Hello, and the dialogue over it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from bridge_arena.protocol.session import ServerSession
from bridge_arena.server.players import UNREAD_BYTES

MOST_REASON = 123
"""How many bytes of a reason a websocket's close frame holds."""


@dataclass(frozen=True, eq=False, slots=True)
class ClientConnection:
    """Nothing here waits for the other end, so that nobody can hold up a table."""

    connection: ServerConnection
    session: ServerSession

    @property
    def is_open(self) -> bool:
        """Whether it may be sent something: where a connection is being closed, that would
        wait for the end of it."""
        return self.connection.state is State.OPEN

    @property
    def is_clogged(self) -> bool:
        """Whether the client leaves too much unread."""
        return self.connection.transport.get_write_buffer_size() > UNREAD_BYTES

    async def flush(self) -> None:
        """Send what is due; there is room for it where the link is not clogged."""
        data = self.session.data_to_send()
        if data is not None and self.is_open:
            with contextlib.suppress(ConnectionClosed):
                await self.connection.send(data)

    def cut(self, code: int, reason: str) -> None:
        """Close the connection at once, and say why: the other end may be dead without
        knowing."""
        protocol, transport = self.connection.protocol, self.connection.transport
        if self.is_open:
            protocol.send_close(code, reason.encode()[:MOST_REASON].decode(errors="ignore"))
            transport.write(b"".join(protocol.data_to_send()))
        transport.abort()
