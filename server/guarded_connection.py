"""A WebSocket connection that a misbehaving client cannot keep open."""

from __future__ import annotations

import asyncio
import ssl
from typing import cast

from websockets.asyncio.server import ServerConnection
from websockets.protocol import SEND_EOF, State

from bridge_arena.protocol.tcp_keepalive import notice_loss
from bridge_arena.server.connection_limits import ConnectionLimits, Visit
from bridge_arena.server.players import UNREAD_BYTES

MOST_UNREAD = 4 * UNREAD_BYTES
"""The most bytes that a client may leave unread of what it has asked for."""


class GuardedConnection(ServerConnection):
    """A connection that is counted by the limits from its first byte, before the TLS handshake.

    It is cut when the client does not read what it has asked for, and when one end has begun to
    close it and it is not closed within `close_timeout`.
    """

    # Each server has a subclass in which these are set.
    limits: ConnectionLimits
    tls: ssl.SSLContext | None
    everyone: set[GuardedConnection]
    tls_seconds: float

    _raw: asyncio.Transport
    """The transport below TLS, or the only one without TLS."""

    _visit: Visit
    """The visit as which the limits count it."""

    _securing: asyncio.Task[None] | None = None
    """The TLS handshake; None once it is over, and without TLS."""

    _is_open = False
    """Whether the library knows the connection: only after a TLS handshake that succeeded."""

    _early = b""
    """Data that came right behind the TLS handshake, before that was known to be over."""

    _cutting: asyncio.TimerHandle | None = None
    """The timer that cuts a closing connection whose other end does not close it."""

    # For the gateway.

    def shows(self, token: object) -> None:
        """Note that the client has shown a good token, which `token` stands for."""
        self.limits.shows(self._visit, token)

    def sits(self) -> None:
        """Note that the client has a place, so that the limits no longer count it."""
        self.limits.sits_or_goes(self._visit)

    def cut(self) -> None:
        """Close the connection at once, and discard data that is left to send."""
        self._raw.abort()

    # For asyncio and websockets.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, and begin the TLS handshake if there is one."""
        self._raw = cast("asyncio.Transport", transport)
        notice_loss(transport.get_extra_info("socket"))
        peer = transport.get_extra_info("peername")
        self._visit = self.limits.comes(str(peer[0]) if peer else "", self.cut)
        self.everyone.add(self)
        if self.tls is None:
            self._open(transport)
        else:
            self._raw.pause_reading()
            self._securing = self.loop.create_task(self._secure(self.tls))

    async def _secure(self, tls: ssl.SSLContext) -> None:
        """Perform the TLS handshake, and continue over TLS.

        This is done here and not by `create_server`, which hides connections whose handshake never
        ends.
        """
        transport: asyncio.BaseTransport | None = None
        if not self._raw.is_closing():
            try:
                transport = await self.loop.start_tls(
                    self._raw,
                    self,
                    tls,
                    server_side=True,
                    ssl_handshake_timeout=self.tls_seconds,
                    ssl_shutdown_timeout=self.close_timeout,
                )
            except OSError:  # the other end speaks no TLS, is too slow, or is gone
                self.cut()
        self._securing = None
        if transport is None or self._raw.is_closing():
            self._leave()
            return
        self._open(transport)
        if self._early:
            early, self._early = self._early, b""
            self.data_received(early)

    def _open(self, transport: asyncio.BaseTransport) -> None:
        self._is_open = True
        super().connection_made(transport)

    def send_data(self) -> None:
        """Send data, and start the timer if the connection is closing."""
        # In one piece: asyncio prints a warning for each that a lost connection does not take, and
        # a client may ask for many, by pings.
        pieces = self.protocol.data_to_send()
        if pieces:
            data = b"".join(pieces)
            self.protocol.writes = [data] * bool(data) + [SEND_EOF] * (SEND_EOF in pieces)
            super().send_data()
        # Closing waits for the other end, but the task that waits may have been cancelled.
        is_ending = self.state is State.CLOSED or self.protocol.close_expected()
        if is_ending and self._cutting is None:
            assert self.close_timeout is not None
            self._cutting = self.loop.call_later(self.close_timeout, self.cut)

    def data_received(self, data: bytes) -> None:
        """Receive data, and cut a connection with too much unread data."""
        if self._securing is not None:
            self._early += data
            return
        super().data_received(data)
        # Pings are answered automatically, so that a client that floods and does not read piles
        # up answers.
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.cut()

    def eof_received(self) -> None:
        if self._securing is None:
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        if self._is_open:
            super().connection_lost(exc)

    def _leave(self) -> None:
        if self._cutting is not None:
            self._cutting.cancel()
        self.limits.sits_or_goes(self._visit)
        self.everyone.discard(self)
