"""Numbers with their nouns, as messages have them."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """`1 board`, `2 boards`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
