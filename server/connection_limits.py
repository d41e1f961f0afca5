"""Limits that keep connections without a seat from using up the server and keeping others out.

New connections are never turned away: if too many wait, one that has waited is cut. Real players
shake hands within milliseconds, so they always get through.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection
from dataclasses import dataclass

MOST_WAITING = 1024
"""The number of connections that may be open without a token, beyond those expected; and the same
for those that have shown a token and not sat down."""

MOST_FROM_ONE = 256
"""The number of them from one address, or with one token."""

IPV6_LINE = 64
"""The bits of an IPv6 address that identify a subscriber, who chooses the rest."""


@dataclass(eq=False, slots=True)
class Visit:
    """A connection that has not sat down yet.

    Attributes:
        cut: Closes it at once.
    """

    cut: Callable[[], None]


class ConnectionLimits:
    """The limits of connections that have not sat down yet.

    If there are too many, one is cut. Those without a token are counted by address; the others
    separately, by their token, so that a crowd of strangers does not affect them.

    Attributes:
        expected: The number of places: all their players may come at once, and from one address.
        room: The number of further connections that may wait.
        turned_away: The number that were cut so far.
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
        """Count a new connection.

        Args:
            address: The address that it comes from.
            cut: Closes it at once.

        Returns:
            The visit, by which it is known from now on.
        """
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
        """Return the number of visits from an origin."""
        return len(self._crowds.get(origin, ()))

    def add(self, visit: Visit, origin: object) -> None:
        """Add a visit."""
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

        Returns:
            The visit.
        """
        largest: Collection[Visit] = max(self._crowds.values(), key=len)
        return next(iter(largest))


def origin(address: str) -> str:
    """Return the origin that an address counts for.

    It is the whole network if a subscriber has one, as in IPv6. Any other kind of address (the path
    of a socket, or none) stands for itself.

    Args:
        address: The address.

    Returns:
        The origin, as text.
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
