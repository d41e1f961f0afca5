"""Links that open a seat once, and what a browser shows afterwards to be let in again.

Both have 192 random bits, and only their hashes are kept: who reads this process's memory, or
compares times, learns nothing that opens a seat. What is opened is known by a person's name.
"""

from __future__ import annotations

import secrets
from hashlib import sha256


class SeatLinks:
    """The links of an event's people, and the browsers that have used one."""

    def __init__(self) -> None:
        # People by the hashes of links that nobody has used, and of what browsers show.
        self._unused: dict[bytes, str] = {}
        self._browsers: dict[bytes, str] = {}

    def create(self, person: str) -> str:
        """Make the secret of a new link for a person."""
        return _kept(self._unused, person)

    def is_good(self, secret: str) -> bool:
        """Return whether a link opens a seat, which it still does afterwards."""
        return _hashed(secret) in self._unused

    def use(self, secret: str) -> str | None:
        """Return what the first browser that uses a link is to show from now on; None for all
        others."""
        person = self._unused.pop(_hashed(secret), None)
        return None if person is None else _kept(self._browsers, person)

    def person(self, shown: str) -> str | None:
        """Return whose browser shows something; None where it is nobody's."""
        return self._browsers.get(_hashed(shown))


def _kept(people: dict[bytes, str], person: str) -> str:
    secret = secrets.token_urlsafe(24)
    people[_hashed(secret)] = person
    return secret


def _hashed(secret: str) -> bytes:
    return sha256(secret.encode(errors="replace")).digest()
