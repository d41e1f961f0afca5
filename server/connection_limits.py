"""Keeps those who have not sat down from using up the server, and from keeping others out.

It turns nobody away who comes: where too many wait, one that has waited is cut. Whoever means
to play shakes hands within milliseconds, and always gets through.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection
from dataclasses import dataclass

MOST_WAITING = 1024
"""How many connections may be open that have not shown a token, beyond those expected; and how
many that have shown one and not sat down."""

MOST_FROM_ONE = 256
"""How many of them from one address, or with one token."""

IPV6_LINE = 64
"""How many bits of an IPv6 address tell one line from another: the rest is the subscriber's."""


@dataclass(eq=False, slots=True)
class Visit:
    """A connection that has not sat down yet. `cut`: closes it at once."""

    cut: Callable[[], None]


class ConnectionLimits:
    """Counts the connections that have not sat down yet, and has one cut where they are too
    many: of those without a token by the address that they come from; the others apart, by
    their token, so that no crowd of strangers touches them."""

    def __init__(self) -> None:
        # For how many there are places: all of them may come at once, and from one address.
        self.expected = 0
        # How many more may wait: fewer where the system lets this process have few files.
        self.room = MOST_WAITING
        # How many were cut so far, as too many waited.
        self.turned_away = 0
        self._strangers = _Waiting()
        self._known = _Waiting()

    @property
    def waiting(self) -> int:
        return len(self._strangers) + len(self._known)

    def comes(self, address: str, cut: Callable[[], None]) -> Visit:
        """One comes in from an address."""
        visit = Visit(cut)
        where = origin(address)
        self._strangers.add(visit, where)
        self._make_room(self._strangers, where)
        return visit

    def shows(self, visit: Visit, token: object) -> None:
        """One that waits has a good token: `token` stands for it."""
        if self._strangers.remove(visit):
            self._known.add(visit, token)
            self._make_room(self._known, token)

    def sits_or_goes(self, visit: Visit) -> None:
        """One that came in waits no more; nothing, if it was known before."""
        self._strangers.remove(visit)
        self._known.remove(visit)

    def _make_room(self, waiting: _Waiting, newest: object) -> None:
        """Cut those who have waited longest of the origin that most are from, until one more
        from the origin `newest` is not too many."""
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
        # In the order in which they came, as are the origins; none is without a visit.
        self._crowds: dict[object, dict[Visit, None]] = {}

    def __len__(self) -> int:
        return len(self._origins)

    def number_from(self, origin: object) -> int:
        return len(self._crowds.get(origin, ()))

    def add(self, visit: Visit, origin: object) -> None:
        self._origins[visit] = origin
        self._crowds.setdefault(origin, {})[visit] = None

    def remove(self, visit: Visit) -> bool:
        """Whether it was there."""
        if visit not in self._origins:
            return False
        origin = self._origins.pop(visit)
        del self._crowds[origin][visit]
        if not self._crowds[origin]:
            del self._crowds[origin]
        return True

    def first_of_largest_crowd(self) -> Visit:
        """Where two are as large, of the one whose origin was seen first: so one that has just
        come from a new address is the last of all."""
        largest: Collection[Visit] = max(self._crowds.values(), key=len)
        return next(iter(largest))


def origin(address: str) -> str:
    """What counts as one address: the whole network where a single line is given one, as in
    IPv6. Another kind of address (a socket's path, or none) is itself."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(ip), IPV6_LINE), strict=False))
