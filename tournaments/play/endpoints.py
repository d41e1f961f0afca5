"""Where bots come in, and who is let in."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass

KIBITZER = ""
"""Whose name the token of a kibitzer has: no entry's."""


@dataclass(frozen=True, slots=True)
class PublicEndpoint:
    """For those who come by themselves. `port`: 0 is any free one. `owner`: the entry that a
    token is for, `KIBITZER`, or None where it is none. `bluechip_port`: where programs come
    that speak Blue Chip; None where none are expected. `announce`: is told, in lines, where
    they come in and who is awaited."""

    host: str
    port: int
    tls: ssl.SSLContext | None
    owner: Callable[[str], str | None]
    bluechip_port: int | None
    announce: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Endpoints:
    """`port`: for the bots that are started here, on this machine alone; 0 is any free one.
    `public`: None where nobody else is expected."""

    port: int = 0
    public: PublicEndpoint | None = None


LOCAL_ONLY = Endpoints()
"""For those alone who are started here."""
