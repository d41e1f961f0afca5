"""Where bots come in, and who is let in."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass

KIBITZER = ""
"""Whose name the token of a kibitzer has: no entry's."""


@dataclass(frozen=True, slots=True)
class Doors:
    """`port`: 0 is any free one. `owner`: the entry that a token is for, `KIBITZER`, or None
    where it is none. `bluechip_port`: where programs come that speak Blue Chip; None where
    none are expected. `announce`: is told, in lines, where bots come in and who is awaited."""

    host: str = "127.0.0.1"
    port: int = 0
    tls: ssl.SSLContext | None = None
    owner: Callable[[str], str | None] = lambda _: None
    bluechip_port: int | None = None
    announce: Callable[[str], None] = lambda _: None


LOOPBACK = Doors()
"""For those who are started here."""
