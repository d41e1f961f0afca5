"""Pareto fronts: what several plans reach, each plan in all worlds at once.

A vector says in which worlds a plan reaches its target. It is an int with one bit for each world. A
front is a list of vectors of which none contains another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def is_within(vector: int, front: Iterable[int]) -> bool:
    """Return whether some vector of the front is at least as good in every world."""
    return any(vector & ~other == 0 for other in front)


def insert(front: list[int], vector: int) -> None:
    """Add a vector, unless one as good is there, and remove the vectors that it contains."""
    if not is_within(vector, front):
        front[:] = [other for other in front if other & ~vector]
        front.append(vector)


def meet(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return the front that is left when the opponents choose between two lines of play.

    Each plan against the first line is combined with each plan against the second; a combination
    reaches its target in the worlds where both plans do.

    Args:
        first: The front against the first line of play.
        second: The front against the second line of play.

    Returns:
        The front of the combinations.
    """
    front: list[int] = []
    # Largest vectors first: this keeps the list short while it grows.
    both = {one & other for one in first for other in second}
    for vector in sorted(both, key=int.bit_count, reverse=True):
        if not is_within(vector, front):
            front.append(vector)
    return front
