"""The queue in which the operating system keeps connections until they are accepted."""

from __future__ import annotations

import socket
from collections.abc import Iterable

TAKEN_IN_AT_ONCE = 8
"""The number of connections that are accepted in one go, so that a crowd does not hold up the play
or open more files than are spared."""

QUEUE = 4096
"""The number of connections that the system keeps, or its own limit if that is lower. A connection
that it drops tries again only after a second."""


def lengthen_queue(listening: Iterable[socket.socket]) -> None:
    """Have the system keep QUEUE connections.

    asyncio has one number both for this and for how many it accepts in one go.

    Args:
        listening: The sockets that listen.
    """
    for each in listening:
        with each.dup() as ours:
            ours.listen(QUEUE)
