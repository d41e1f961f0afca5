"""How connections are taken in from the operating system, which keeps those that wait for it."""

from __future__ import annotations

import socket
from collections.abc import Iterable

TAKEN_IN_AT_ONCE = 8
"""How many before the others go on: a crowd that comes at once does not hold up the play, nor
open more files than are spared."""

QUEUE = 4096
"""How many the system keeps (or fewer, where it keeps no more for anybody): one that it drops
tries again only after a second."""


def lengthen_queue(listening: Iterable[socket.socket]) -> None:
    """Have the system keep QUEUE connections. asyncio has one number for this and for how many
    it takes in at once."""
    for each in listening:
        with each.dup() as ours:
            ours.listen(QUEUE)
