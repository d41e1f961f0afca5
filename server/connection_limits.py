"""What keeps connections without a seat from using up the server and keeping others out.

New connections are never turned away: if too many wait, one that has waited is cut. Real players
shake hands within milliseconds, so they always get through.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass

SPARE = 64
"""The number of files for everything but connections: results, log, pipes, libraries."""

TAKEN_IN_AT_ONCE = 8
"""The number of connections that are accepted in one go, so that a crowd does not hold up the play
or open more files than are spared."""

QUEUE = 4096
"""The number of connections that the system keeps, or its own limit if that is lower. A connection
that it drops tries again only after a second."""

MOST_WAITING = 1024
"""The number of connections that may be open without a token, beyond those expected; and the same
for those that have shown a token and not sat down."""

MOST_FROM_ONE = 256
"""The number of them from one address, or with one token."""

IPV6_LINE = 64
"""The bits of an IPv6 address that identify a subscriber, who chooses the rest."""


@dataclass(eq=False, slots=True)
class Visit:
    """A connection that has not sat down yet; `cut` closes it at once."""

    cut: Callable[[], None]


class ConnectionLimits:
    """The limits of connections that have not sat down yet.

    If there are too many, one is cut. Those without a token are counted by address; the others
    separately, by their token, so that a crowd of strangers does not affect them.
    """

    def __init__(self) -> None:
        # The number of places: all their players may come at once, and from one address.
        self.expected = 0
        # The number of further connections that may wait; smaller if few files may be open.
        self.room = MOST_WAITING
        # The number that were cut so far, as too many waited.
        self.turned_away = 0
        self._strangers = _Waiting()
        self._known = _Waiting()

    @property
    def waiting(self) -> int:
        """The number of connections that have not sat down."""
        return len(self._strangers) + len(self._known)

    def comes(self, address: str, cut: Callable[[], None]) -> Visit:
        """Count a new connection, by the visit that is returned."""
        visit = Visit(cut)
        where = origin(address)
        self._strangers.add(visit, where)
        self._make_room(self._strangers, where)
        return visit

    def shows(self, visit: Visit, token: object) -> None:
        """Count a connection with a good token, which `token` stands for, apart from strangers."""
        if self._strangers.remove(visit):
            self._known.add(visit, token)
            self._make_room(self._known, token)

    def sits_or_goes(self, visit: Visit) -> None:
        """Stop counting a connection, if it is still counted."""
        self._strangers.remove(visit)
        self._known.remove(visit)

    def _make_room(self, waiting: _Waiting, newest: object) -> None:
        """Cut connections until those from the origin `newest` and all together are not too many.

        The ones to go are those that have waited longest from the origin with the most.
        """
        most, share = self.room + self.expected, MOST_FROM_ONE + self.expected
        while len(waiting) > most or waiting.number_from(newest) > share:
            visit = waiting.first_of_largest_crowd()
            waiting.remove(visit)
            self.turned_away += 1
            visit.cut()


class _Waiting:
    """Visits by their origin: an address or a token."""

    def __init__(self) -> None:
        self._origins: dict[Visit, object] = {}
        # Visits in the order in which they came, by origin, also in order; no origin is empty.
        self._crowds: dict[object, dict[Visit, None]] = {}

    def __len__(self) -> int:
        return len(self._origins)

    def number_from(self, origin: object) -> int:
        return len(self._crowds.get(origin, ()))

    def add(self, visit: Visit, origin: object) -> None:
        self._origins[visit] = origin
        self._crowds.setdefault(origin, {})[visit] = None

    def remove(self, visit: Visit) -> bool:
        """Remove a visit, and return whether it was there."""
        if visit not in self._origins:
            return False
        origin = self._origins.pop(visit)
        del self._crowds[origin][visit]
        if not self._crowds[origin]:
            del self._crowds[origin]
        return True

    def first_of_largest_crowd(self) -> Visit:
        """Return the oldest visit from the origin with the most visits.

        Among equals it is the origin that was seen first, so that a visit from a new address comes
        last.
        """
        largest: Collection[Visit] = max(self._crowds.values(), key=len)
        return next(iter(largest))


def origin(address: str) -> str:
    """Return the origin that an address counts for.

    It is the whole network if a subscriber has one, as in IPv6. Any other kind of address (the path
    of a socket, or none) stands for itself.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(ip), IPV6_LINE), strict=False))


def most_connections() -> int:
    """Raise the limit of open files as far as allowed, and return how many connections fit."""
    import resource  # noqa: PLC0415  Windows has none

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems have a lower limit than the one that they report.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(0, soft - SPARE)


def lengthen_queue(listening: Iterable[socket.socket]) -> None:
    """Have the system keep QUEUE connections.

    asyncio has one number both for this and for how many it accepts in one go.
    """
    for listener in listening:
        with listener.dup() as ours:
            ours.listen(QUEUE)
