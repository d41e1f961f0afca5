"""The addresses at which bots connect, and the tokens that let them in."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass

KIBITZER = ""
"""The owner of kibitzers' tokens, a name that no entry can have."""


@dataclass(frozen=True, slots=True)
class PublicEndpoint:
    """The endpoint for bots that connect by themselves, and for kibitzers.

    Attributes:
        host: The address to listen on.
        port: The port; 0 for any free one.
        tls: The TLS context; None for no TLS.
        owner: Returns the owner of a token: an entry's name or `KIBITZER`; None for an unknown
            token.
        bluechip_port: The port for Blue Chip programs; None if none are expected.
        announce: Called with each line about where to connect and who is awaited.
        tell: Called with each line about who was lost and came back, and how far the event is, once
            it has begun; None to tell nothing.
    """

    host: str
    port: int
    tls: ssl.SSLContext | None
    owner: Callable[[str], str | None]
    bluechip_port: int | None
    announce: Callable[[str], None]
    tell: Callable[[str], None] | None = None


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The endpoints of a hall.

    Attributes:
        port: The port for the bots that are started here, on this machine only; 0 for any free one.
        public: The endpoint for others; None if no others are expected.
    """

    port: int = 0
    public: PublicEndpoint | None = None


LOCAL_ONLY = Endpoints()
"""The endpoints of a hall whose bots are all started here."""
