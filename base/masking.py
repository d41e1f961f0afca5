"""The masking of secrets in what comes back from others, who may repeat what they were given.

Every program that has a key passes all text through it that somebody else has written: a robot, a
service, a bot, the output of a process.
"""

from __future__ import annotations

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
        found = [part for part in self._parts if part in text]
        if not found:
            return text
        letters = list(text)
        for part in found:
            start = text.find(part)
            while start >= 0:
                letters[start : start + len(part)] = "*" * len(part)
                start = text.find(part, start + 1)
        return "".join(letters)

    def data(self, data: bytes) -> bytes:
        """Return bytes with the secrets in them masked; their length stays."""
        return self.text(data.decode("latin-1")).encode("latin-1") if self._parts else data

    def value(self, value: Any) -> Any:
        """Return a value of JSON with all its texts masked.

        Args:
            value: The value.

        Returns:
            The value.

        Raises:
            RecursionError: It is nested too deeply.
        """
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if isinstance(value, dict):
            return {self.text(name): self.value(each) for name, each in value.items()}
        return value


def _parts(secret: str) -> list[str]:
    """Return what gives a secret away."""
    if len(secret) >= PART:
        return [secret[start : start + PART] for start in range(len(secret) - PART + 1)]
    return [] if len(secret) < _SHORTEST or secret.isalpha() else [secret]


UNMASKED = Masking()
"""The mask of programs that have no secrets."""
