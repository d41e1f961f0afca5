"""How often each address may ask, so that one client leaves room for others."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address

from starlette.requests import HTTPConnection

from bridge_arena.server.connection_limits import origin

MOST_ORIGINS = 10_000
"""The most addresses that are remembered; beyond them, those that asked longest ago are not."""

_ADDRESS = re.compile(r"\[([^]]*)\](?::\d*)?|([^:]*):\d*")
"""An address in brackets, with a port or without one, or one of IPv4 with a port."""


class RateLimit:
    """How often each address may ask: some requests at once, and so many a second after that.

    An IPv6 network of a subscriber counts as one address.

    Args:
        rate: The requests a second.
        at_once: The requests that may come at once.
        now: Returns the time in seconds.
    """

    def __init__(
        self, rate: float, at_once: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._interval = 1 / rate
        self._most = (at_once - 1) / rate
        self._now = now
        # By origin, in the order of the last requests: when as many as may come at once may come
        # again.
        self._free: dict[str, float] = {}

    def admit(self, address: str) -> float:
        """Count a request, and return 0; or the seconds after which it may come again."""
        where, now = origin(address), self._now()
        free = max(self._free.pop(where, now), now)
        wait = free - now - self._most
        self._free[where] = free if wait > 0 else free + self._interval
        if len(self._free) > MOST_ORIGINS:
            del self._free[next(iter(self._free))]
        return max(0.0, wait)


def address_of_client(connection: HTTPConnection) -> str:
    """Return the address of a client.

    A connection from this machine may be that of a proxy, which adds the address of its client to
    `X-Forwarded-For` as the last one. Anybody can send the header to a server without a proxy, so
    it counts only then. A port after the address does not count, as each connection has another.
    """
    peer = connection.client.host if connection.client else ""
    if not (known := _address(peer)) or not ip_address(known).is_loopback:
        return peer
    forwarded = ",".join(connection.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
    return _address(forwarded) or peer


def _address(text: str) -> str:
    """Return the address in a text, which may have a port and brackets; "" if there is none."""
    matched = _ADDRESS.fullmatch(text)
    address = (matched[1] or matched[2] or "") if matched else text
    with suppress(ValueError):
        return "" if "%" in address else str(ip_address(address))
    return ""
