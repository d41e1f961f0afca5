"""The gauntlet: one entry meets all the others, as an engine is tested against its rivals."""

from __future__ import annotations


def gauntlet(entries: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of a gauntlet: entry 0, always at home, against each other entry in order.

    Args:
        entries: The number of entries.

    Returns:
        One match (home, visitors) in each round.

    Raises:
        ValueError: There are fewer than two entries.
    """
    if entries < 2:
        raise ValueError(f"a gauntlet takes at least 2 entries, not {entries}")
    return [[(0, other)] for other in range(1, entries)]
