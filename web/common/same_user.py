"""Whether the other end of a loopback connection belongs to the user whom this process belongs to.

Linux lists all connections with their owners. Elsewhere nothing is known of them.
"""

from __future__ import annotations

import os
import struct
from ipaddress import ip_address
from pathlib import Path

from starlette.types import Scope

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The system's lists of connections, by IPv4 and IPv6."""

_LOCAL, _REMOTE, _OWNER = 1, 2, 7
"""The columns of the lists that are read, from 0."""

_IPV4 = 4
"""The bytes of an IPv4 address."""

_MAPPED = bytes(10) + b"\xff\xff"
"""What an IPv4 address begins with that is written as an IPv6 address."""


def may_be_same_user(scope: Scope) -> bool:
    """Return whether a request may come from a program of this user.

    Args:
        scope: The request.

    Returns:
        False if the system says that the other end is another user's. That of the administrator may
        pass on what this user asks, and learns nothing new.
    """
    client, server = scope.get("client"), scope.get("server")
    owner = _owner((*client,), (*server,)) if client and server else None
    return owner is None or owner in (0, os.getuid())


def _owner(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """Return the user who has the client's end of a connection; None if that is not known."""
    for table in TABLES:
        ends = [_written(host, port, table) for host, port in (client, server)]
        try:
            lines = table.read_text().splitlines()
        except OSError:
            continue
        for line in lines[1:]:
            columns = line.split()
            if columns[_LOCAL : _REMOTE + 1] == ends:
                return int(columns[_OWNER])
    return None


def _written(host: str, port: int, table: Path) -> str:
    """Return an address as a list has it: words of 32 bits in the order of this machine's bytes."""
    packed = ip_address(host).packed
    if table.name.endswith("6") and len(packed) == _IPV4:
        packed = _MAPPED + packed
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
