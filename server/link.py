"""The interface of the connection to whoever sits in a seat, a bot or a person."""

from __future__ import annotations

import asyncio
from typing import Protocol

from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.session import ClientAction


class LinkLostError(Exception):
    """The connection has ended; the message says how."""


class Link(Protocol):
    """A connection to a client that was admitted, and the dialogue over it.

    Only `receive` and `close` wait for the other end, so that nobody can hold up a table.
    """

    @property
    def connection(self) -> object:
        """The underlying connection, by which the link is known when it is lost."""

    @property
    def name(self) -> str:
        """The name that the other end gives itself."""

    @property
    def is_clogged(self) -> bool:
        """Whether the other end leaves too much unread."""

    def send(self, outgoing: Outgoing, *, urgent: bool) -> None:
        """Queue a message for the next `flush`, or for a later one if it is not urgent."""

    async def flush(self) -> None:
        """Send what is due."""

    async def receive(self) -> list[ClientAction]:
        """Wait for the next actions.

        Returns:
            The actions.

        Raises:
            LinkLostError: The connection has ended.
            ProtocolError: The message is not what the protocol allows.
        """

    async def ping(self) -> asyncio.Future[float] | None:
        """Send a ping, and return the future of its time in seconds; None if it cannot be sent."""

    def cut(self, code: int, reason: str) -> None:
        """Close the connection at once, and give a reason."""

    async def close(self) -> bool:
        """Close the connection in good order; return whether the other end received everything."""
