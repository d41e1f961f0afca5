"""The WebSocket of a person's seat, which a misbehaving client cannot keep open.

It is guarded as bots' connections are (`server.guarded_connection`).
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bridge_arena.server.guarded_connection import MOST_UNREAD

CLOSE_SECONDS = 2.0
"""Seconds that a client may take to let a connection close that is done with."""


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn that is cut when its client does not read or does not close."""

    def data_received(self, data: bytes) -> None:
        """Receive data, and cut a connection whose answers to pings are not read."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Cut the connection unless it is closed soon, which waits until all is read."""
        super().on_task_complete(task)
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)
