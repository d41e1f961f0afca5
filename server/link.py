"""What a seat needs of the connection to whoever sits there, a bot or a person."""

from __future__ import annotations

import asyncio
from typing import Protocol

from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.session import ClientAction


class LinkLostError(Exception):
    """The connection is no more: the text says how it ended."""


class Link(Protocol):
    """A connection to one who was let in, and the dialogue over it.

    Nothing here but `receive` and `close` waits for the other end, so that nobody can hold up a
    table.
    """

    @property
    def connection(self) -> object:
        """What the link goes over: by it the link is known when it is lost."""

    @property
    def name(self) -> str:
        """What the other end calls itself."""

    @property
    def is_clogged(self) -> bool:
        """Whether the other end leaves too much unread."""

    def send(self, outgoing: Outgoing, *, urgent: bool) -> None:
        """Have something sent by the next `flush`, or later where it is not `urgent`."""

    async def flush(self) -> None:
        """Send what is due."""

    async def receive(self) -> list[ClientAction]:
        """Wait for what comes next. Raises LinkLostError and ProtocolError."""

    async def ping(self) -> asyncio.Future[float] | None:
        """Ask for an answer at once; the seconds that it takes. None where nobody can be asked."""

    def cut(self, code: int, reason: str) -> None:
        """Close the connection at once, and say why."""

    async def close(self) -> bool:
        """Close the connection in good order; whether the other end heard all of it."""
