"""The link between a seat and a person's browser: protocol messages as text over a WebSocket.

`server.websocket_player` decides what a seat may see, as for a bot; nothing is added.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from bridge_arena.protocol.codec import read_answer, text_of
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import ClientAction, Undo
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.server.link import LinkLostError
from bridge_arena.server.players import UNREAD_BYTES

MOST_AHEAD = 16
"""The messages that a page may send ahead of its turn; it asks and answers one at a time."""

CLOSE_SECONDS = 1.0
"""Seconds that a browser may take to read why its connection is closed."""


class BrowserLink:
    """A link (`server.link.Link`) over an accepted WebSocket, which works during `converse`."""

    name = "a person"

    def __init__(self, websocket: WebSocket, *, undo: bool = False) -> None:
        self._websocket = websocket
        self._undo = undo  # whether actions may be taken back
        # The messages of the page that were not received yet; None after the last.
        self._said: asyncio.Queue[str | None] = asyncio.Queue()
        # The messages that are not sent yet; None after the last.
        self._unsent: asyncio.Queue[str | None] = asyncio.Queue()
        self._unsent_bytes = 0
        # The code and the reason of the close; set when nothing more is to be sent.
        self._closing: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self._is_over = asyncio.Event()
        # Whether all messages were sent.
        self._has_sent_all = False

    def send(self, outgoing: Outgoing, *, urgent: bool) -> None:
        """Send a message as soon as possible, as a person is watching."""
        del urgent
        text = text_of(outgoing.message)
        self._unsent_bytes += len(text)
        self._unsent.put_nowait(text)

    def flush(self) -> bool:
        """Return whether the browser reads enough of what it is sent, which is done at once."""
        return self._unsent_bytes <= UNREAD_BYTES

    async def receive(self) -> list[ClientAction]:
        """Wait for the page's next message. Raises LinkLostError and ProtocolError."""
        said = await self._said.get()
        if said is None:
            self._said.put_nowait(None)
            raise LinkLostError("the page was closed or lost")
        answer = read_answer(said)
        if isinstance(answer, Undo) and not self._undo:
            raise ProtocolError("nothing can be taken back at this table")
        return [answer]

    async def ping(self) -> asyncio.Future[float] | None:
        """Return None: people take seconds, so the time of the network does not matter."""
        return None

    def cut(self, code: int, reason: str) -> None:
        """Close the connection, and drop messages that are not sent."""
        if not self._closing.done():
            self._closing.set_result((code, reason))

    async def close(self) -> bool:
        """Close the connection when all messages are sent; return whether they were."""
        self._unsent.put_nowait(None)
        await self._is_over.wait()
        return self._has_sent_all

    async def converse(self) -> None:
        """Receive and send until the connection is lost or closed."""
        reading, writing = (asyncio.create_task(work) for work in (self._read(), self._write()))
        try:
            await asyncio.wait(
                (reading, writing, self._closing), return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for task in (reading, writing):
                task.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)
            self._said.put_nowait(None)
            self._is_over.set()
        if self._closing.done():
            with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._websocket.close(*self._closing.result())

    async def _read(self) -> None:
        while (message := await self._websocket.receive())["type"] != "websocket.disconnect":
            if self._said.qsize() >= MOST_AHEAD:
                self.cut(1008, "too many messages at once")
                return
            # Binary data is no message, and becomes an empty text.
            self._said.put_nowait(message.get("text") or "")

    async def _write(self) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            while (text := await self._unsent.get()) is not None:
                await self._websocket.send_text(text)
                self._unsent_bytes -= len(text)
            self._has_sent_all = True
            self.cut(1000, "")
