"""TCP keepalive at both ends, so that a silently lost connection is noticed."""

from __future__ import annotations

import contextlib
import socket

_OPTIONS = {
    "TCP_KEEPIDLE": 10,  # seconds of silence before the first probe
    "TCP_KEEPINTVL": 5,  # seconds between probes that are not answered
    "TCP_KEEPCNT": 4,  # probes before the connection is lost
    "TCP_USER_TIMEOUT": 30_000,  # milliseconds within which data must be acknowledged
}


def notice_loss(connection: socket.socket) -> None:
    """Have the operating system notice a lost TCP connection within about half a minute."""
    # A bot that waits for its turn sends nothing. Without this it would wait for ever, and its seat
    # would seem taken.
    with contextlib.suppress(OSError):  # already lost: reading from it raises the error
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _OPTIONS.items():
            if hasattr(socket, name):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
