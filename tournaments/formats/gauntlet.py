"""One against all, as an engine is measured against its rivals."""

from __future__ import annotations


def gauntlet(entries: int) -> list[list[tuple[int, int]]]:
    """Entry 0, always at home, against each other one in order, one match a round.

    Raises ValueError below two entries.
    """
    if entries < 2:
        raise ValueError(f"a gauntlet takes at least 2 entries, not {entries}")
    return [[(0, other)] for other in range(1, entries)]
