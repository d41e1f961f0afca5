"""The round robin: all play all, by the Berger tables of chess (FIDE Handbook C.05, annex 1)."""

from __future__ import annotations


def round_robin(entries: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of a round robin, in which every entry meets each other one once.

    The last entry's match comes first in each round, then the tables' order. With an odd number of
    entries, the opponent of the missing last one has a bye, and everyone is at home as often as
    away. With an even number the two differ by one.

    Args:
        entries: The number of entries.

    Returns:
        The matches (home, visitors) of each round.

    Raises:
        ValueError: There are fewer than two entries.
    """
    if entries < 2:
        raise ValueError(f"a round robin takes at least 2 entries, not {entries}")
    places = entries + entries % 2
    return [
        [pair for pair in _berger_round(places, number) if max(pair) < entries]
        for number in range(places - 1)
    ]


def _berger_round(places: int, number: int) -> list[tuple[int, int]]:
    """Return a round, numbered from 0, of the table for an even number of places.

    All but the last stand in a circle. One of them, `centre`, meets the last, who is at home in
    every other round; those equally far from it on both sides meet each other.

    Returns:
        The matches (home, visitors).
    """
    circle = places - 1
    centre = number * (places // 2) % circle
    first = (circle, centre) if number % 2 else (centre, circle)
    others = [
        ((centre + step) % circle, (centre - step) % circle) for step in range(1, places // 2)
    ]
    return [first, *others]
