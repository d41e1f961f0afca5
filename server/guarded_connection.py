"""A websocket connection that cannot be kept open by an other end that does not behave."""

from __future__ import annotations

import asyncio
import ssl
from typing import cast

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from bridge_arena.protocol.tcp_keepalive import notice_loss
from bridge_arena.server.connection_limits import ConnectionLimits, Visit
from bridge_arena.server.players import UNREAD_BYTES


class GuardedConnection(ServerConnection):
    """A connection that the limits know from the first byte on, that of the TLS handshake
    too. It is cut when its other end does not read what it has asked for, and when one end
    has begun to close it and it is not closed within `close_timeout`."""

    # Set in a class of its own for each server.
    limits: ConnectionLimits
    tls: ssl.SSLContext | None
    everyone: set[GuardedConnection]
    """All connections of the server."""
    tls_seconds: float
    """How long the TLS handshake may take."""

    _raw: asyncio.Transport
    """What TLS is spoken over, or all is where it is not."""

    _visit: Visit
    """What the limits know it by."""

    _securing: asyncio.Task[None] | None = None
    """The TLS handshake; None once it is over, and where there is none."""

    _is_open = False
    """Whether websockets knows of it: not before the TLS handshake, nor where that failed."""

    _early = b""
    """What came right behind the TLS handshake, before that was known to be over."""

    _cutting: asyncio.TimerHandle | None = None
    """Cuts it when it is closed, and its other end does not go."""

    # For the gateway.

    def shows(self, token: object) -> None:
        """It has a good token, for which `token` stands."""
        self.limits.shows(self._visit, token)

    def sits(self) -> None:
        """It has a place, and counts no more."""
        self.limits.sits_or_goes(self._visit)

    def cut(self) -> None:
        """Close it at once, whatever is left to send."""
        self._raw.abort()

    # For asyncio and websockets.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
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
        """Shake hands in TLS, and go on over that. Here and not by `create_server`, which
        shows nobody the connections whose handshake never ends."""
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
        super().send_data()
        # Who closes it waits for the other end; but who asked for that may have given up.
        is_ending = self.state is State.CLOSED or self.protocol.close_expected()
        if is_ending and self._cutting is None:
            assert self.close_timeout is not None
            self._cutting = self.loop.call_later(self.close_timeout, self.cut)

    def data_received(self, data: bytes) -> None:
        if self._securing is not None:
            self._early += data
            return
        super().data_received(data)
        # Answers to pings are written unasked: those of a flood that nobody reads pile up.
        if self.transport.get_write_buffer_size() > 4 * UNREAD_BYTES:
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
