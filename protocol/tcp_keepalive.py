"""How both ends have a network noticed that is gone without a word."""

from __future__ import annotations

import contextlib
import socket

_OPTIONS = {
    "TCP_KEEPIDLE": 10,  # seconds without a word, before the other end is asked for one
    "TCP_KEEPINTVL": 5,  # seconds, when it did not answer, until it is asked again
    "TCP_KEEPCNT": 4,  # how often it is asked
    "TCP_USER_TIMEOUT": 30_000,  # milliseconds until what was sent must have arrived
}


def notice_loss(connection: socket.socket) -> None:
    """Have the operating system notice it, as far as it can, within half a minute: a bot that
    waits for its turn says nothing and would wait for ever, and its seat would seem taken."""
    with contextlib.suppress(OSError):  # it is lost already, and whoever reads is told
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _OPTIONS.items():
            if hasattr(socket, name):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
