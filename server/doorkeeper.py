"""Keeps those who have not sat down from using up the server."""

from __future__ import annotations

import asyncio
from collections import Counter

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from protocol.liveness import notice_loss
from server.players import UNREAD_BYTES

MOST_WAITING = 1024
"""How many connections may be open that have not sat down yet, beyond those expected."""

MOST_FROM_ONE = 256
"""How many of them from one address."""


class Doorkeeper:
    """Counts the connections that have not sat down yet."""

    def __init__(self) -> None:
        # For how many there are places: all of them may come at once, and from one address.
        self.expected = 0
        # By the address that they come from.
        self._waiting: Counter[str] = Counter()
        # How many more may wait: fewer where the system lets this process have few files.
        self.room = MOST_WAITING
        # How many were turned away so far.
        self.turned_away = 0

    @property
    def waiting(self) -> int:
        return self._waiting.total()

    def comes(self, address: str) -> bool:
        """Whether one more may come in from an address; it is counted if so."""
        here = self._waiting[address]
        if self.waiting - self.expected >= self.room or here - self.expected >= MOST_FROM_ONE:
            self.turned_away += 1
            return False
        self._waiting[address] += 1
        return True

    def sits_or_goes(self, address: str) -> None:
        """One that came in waits no more."""
        self._waiting[address] -= 1
        if not self._waiting[address]:
            del self._waiting[address]


class GuardedConnection(ServerConnection):
    """A connection that a doorkeeper watches: it is cut at once where too many wait, and
    when its other end does not read what it has asked for, or closes and does not go."""

    doorkeeper: Doorkeeper
    """Set in a class of its own for each server."""

    _address: str | None = None
    """Where it comes from, while it is counted."""

    _cutting: asyncio.TimerHandle | None = None
    """Cuts it when its other end said that it closes, and does not."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        notice_loss(transport.get_extra_info("socket"))
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        if self.doorkeeper.comes(address):
            self._address = address
        else:
            self.transport.abort()

    def sits(self) -> None:
        """It has a place, and counts no more."""
        if self._address is not None:
            self.doorkeeper.sits_or_goes(self._address)
            self._address = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # Answers to pings are written unasked: those of a flood that nobody reads pile up.
        if self.transport.get_write_buffer_size() > 4 * UNREAD_BYTES:
            self.transport.abort()
        elif self.state is State.CLOSING and self._cutting is None:
            assert self.close_timeout is not None
            self._cutting = self.loop.call_later(self.close_timeout, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._cutting is not None:
            self._cutting.cancel()
        self.sits()
        super().connection_lost(exc)
