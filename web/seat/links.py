"""Links that open a seat once, and the secrets by which browsers are admitted again.

Both have 192 random bits, and only their hashes are kept: an attacker who reads this process's
memory, or measures comparisons, learns nothing that opens a seat. Each opens the seats of one
person, by name.
"""

from __future__ import annotations

import secrets
from hashlib import sha256


class SeatLinks:
    """The links of an event's people, and the browsers that have used one."""

    def __init__(self) -> None:
        # People by the hashes of links that nobody has used, and of the secrets of browsers.
        self._unused: dict[bytes, str] = {}
        self._browsers: dict[bytes, str] = {}

    def create(self, person: str) -> str:
        """Return the secret of a new link for a person."""
        return _kept(self._unused, person)

    def is_good(self, secret: str) -> bool:
        """Return whether a link opens a seat; asking does not use it."""
        return _hashed(secret) in self._unused

    def use(self, secret: str) -> str | None:
        """Return the secret for the first browser that uses a link; None for all others."""
        person = self._unused.pop(_hashed(secret), None)
        return None if person is None else _kept(self._browsers, person)

    def person(self, shown: str) -> str | None:
        """Return the person whose browser has a secret; None if nobody's has."""
        return self._browsers.get(_hashed(shown))


def _kept(people: dict[bytes, str], person: str) -> str:
    secret = secrets.token_urlsafe(24)
    people[_hashed(secret)] = person
    return secret


def _hashed(secret: str) -> bytes:
    return sha256(secret.encode(errors="replace")).digest()
