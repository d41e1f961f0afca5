"""Numbers with their nouns, as messages write them."""

from __future__ import annotations


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return a count with its noun: `1 board`, `2 boards`.

    Args:
        count: The number.
        noun: The singular.
        nouns: The plural; by default the singular with an `s`.

    Returns:
        The number and the noun that agrees with it.
    """
    return f"{count} {noun}" if count == 1 else f"{count} {nouns or noun + 's'}"
