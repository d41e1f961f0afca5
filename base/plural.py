"""Numbers with their nouns, as messages have them."""

from __future__ import annotations


def plural(count: int, noun: str, nouns: str = "") -> str:
    """`1 board`, `2 boards`; `nouns`: where it is not just an s more."""
    return f"{count} {noun}" if count == 1 else f"{count} {nouns or noun + 's'}"
