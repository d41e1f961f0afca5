"""Secrets: masked in what others write, left out of URLs, and taken from headers.

Others may repeat what they were given. So every program that has a key passes all text through its
mask that somebody else has written: a robot, a service, a bot, the output of a process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

PART = 8
"""So many characters of a secret in a row give it away."""

_SHORTEST = 4
"""A shorter secret is none."""


class Masking:
    """A mask for secrets: an asterisk stands for each of their characters.

    A secret of PART characters or more is masked wherever so many of them stand in a row; a shorter
    one only where it stands whole. A short one of letters alone is no secret, but a word such as
    `dummy`, for services that ask for no key.

    Args:
        secrets: The secrets; empty ones are ignored.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._parts = frozenset(
            part
            for secret in secrets
            for written in (secret, quote(secret, safe=""))
            for part in _parts(written)
        )

    def adding(self, secret: str) -> Masking:
        """Return a mask for one more secret."""
        masking = Masking([secret])
        masking._parts |= self._parts
        return masking

    def text(self, text: str) -> str:
        """Return a text with its secrets masked."""
        parts = [part for part in self._parts if part in text]
        if not parts:
            return text
        letters = list(text)
        for part in parts:
            start = text.find(part)
            while start >= 0:
                letters[start : start + len(part)] = "*" * len(part)
                start = text.find(part, start + 1)
        return "".join(letters)

    def data(self, data: bytes) -> bytes:
        """Return bytes with the secrets in them masked; their length stays."""
        return self.text(data.decode("latin-1")).encode("latin-1") if self._parts else data

    def value(self, value: Any) -> Any:
        """Return a value of JSON with all texts masked; RecursionError if nested too deeply."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(name): self.value(item) for name, item in value.items()}
        return value


def _parts(secret: str) -> list[str]:
    """Return what gives a secret away."""
    if len(secret) >= PART:
        return [secret[start : start + PART] for start in range(len(secret) - PART + 1)]
    return [] if len(secret) < _SHORTEST or secret.isalpha() else [secret]


UNMASKED = Masking()
"""The mask of programs that have no secrets."""


def without_password(text: str) -> str:
    """Return text without the passwords of the URLs in it.

    A password goes to the last @, as one in it may have been forgotten to be written as %40.
    """
    return re.sub(r"(://[^:/@\s]*):\S*@", r"\1:***@", text)


def bearer_token(header: str) -> str:
    """Return the token of an `Authorization` header; empty for another scheme (RFC 6750, 2.1).

    The case of the scheme does not matter (RFC 9110, 11.1).
    """
    scheme, _, token = header.partition(" ")
    return token.lstrip() if scheme.lower() == "bearer" else ""
