"""Connections of the user whom this process belongs to: those of other users are cut off at once.

Linux lists all connections with their owners. Elsewhere nothing is known of them.
"""

from __future__ import annotations

import asyncio
import os
import struct
from ipaddress import ip_address
from pathlib import Path

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The system's lists of connections, by IPv4 and IPv6."""

_ENDS_AND_STATE, _OWNER = slice(1, 4), 7
"""The columns of the lists that are read, from 0."""

_ESTABLISHED = "01"
"""The state of a connection whose end its owner has not closed; the others have no owner."""

_IPV4 = 4
"""The bytes of an IPv4 address."""

_MAPPED = bytes(10) + b"\xff\xff"
"""What an IPv4 address begins with that is written as an IPv6 address."""

_Address = tuple[str, int]


class SameUserProtocol(asyncio.Protocol):
    """A protocol, to be mixed in before another, that cuts off connections of other users."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin with a connection, or cut it off."""
        super().connection_made(transport)
        client, server = map(transport.get_extra_info, ("peername", "sockname"))
        if not is_same_user(client, server):
            transport.abort()


def is_same_user(client: _Address | None, server: _Address | None) -> bool:
    """Return whether a connection comes from a program of this user, as far as the system tells.

    One of the administrator counts too: it may pass on what this user asks, and can read all that
    this user can.

    Args:
        client: The host and port of the client's end; None if it is gone already.
        server: Those of the server's end.

    Returns:
        True also if the system does not list connections.
    """
    tables = [(table, _rows(table)) for table in TABLES]
    if not any(rows for _, rows in tables):
        return True
    if not client or not server:
        return False
    for table, rows in tables:
        ends = [_written(host, port, table) for host, port in (client, server)]
        for columns in rows:
            if columns[_ENDS_AND_STATE] == [*ends, _ESTABLISHED]:
                return int(columns[_OWNER]) in (0, os.getuid())
    return False


def _rows(table: Path) -> list[list[str]]:
    """Return the columns of each line of a list; none if there is no such list."""
    try:
        lines = table.read_text().splitlines()
    except OSError:
        return []
    return [line.split() for line in lines[1:]]


def _written(host: str, port: int, table: Path) -> str:
    """Return an address as a list has it: words of 32 bits in the order of this machine's bytes."""
    packed = ip_address(host).packed
    if table.name.endswith("6") and len(packed) == _IPV4:
        packed = _MAPPED + packed
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
