"""Links that open a seat once, and what a browser shows afterwards to be let in again.

Both have 192 random bits, and only their hashes are kept: who reads this process's memory, or
compares times, learns nothing that opens a seat.
"""

from __future__ import annotations

import secrets
from hashlib import sha256

from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat


class SeatLinks:
    """The links of an event's people, and the browsers that have used one."""

    def __init__(self) -> None:
        # Seats by the hashes of links that nobody has used, and of what browsers show.
        self._unused: dict[bytes, EntrySeat] = {}
        self._browsers: dict[bytes, EntrySeat] = {}

    def create(self, seat: EntrySeat) -> str:
        """Make the secret of a new link to a seat."""
        return _kept(self._unused, seat)

    def is_good(self, secret: str) -> bool:
        """Return whether a link opens a seat, which it still does afterwards."""
        return _hashed(secret) in self._unused

    def use(self, secret: str) -> str | None:
        """Return what the first browser that uses a link is to show from now on; None for all
        others."""
        seat = self._unused.pop(_hashed(secret), None)
        return None if seat is None else _kept(self._browsers, seat)

    def seat(self, shown: str) -> EntrySeat | None:
        """Return the seat of a browser by what it shows; None where that is nobody's."""
        return self._browsers.get(_hashed(shown))


def _kept(seats: dict[bytes, EntrySeat], seat: EntrySeat) -> str:
    secret = secrets.token_urlsafe(24)
    seats[_hashed(secret)] = seat
    return secret


def _hashed(secret: str) -> bytes:
    return sha256(secret.encode(errors="replace")).digest()
