"""Pareto fronts: what several plans reach, each over all worlds at once.

A vector says in which worlds a plan reaches its target: an int with one bit for each
world. A front is a list of vectors of which none contains another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def is_within(vector: int, front: Iterable[int]) -> bool:
    """Whether some vector of the front is at least as good in every world."""
    return any(vector & ~other == 0 for other in front)


def insert(front: list[int], vector: int) -> None:
    """Add a vector, unless one as good is there; those that it contains go."""
    if not is_within(vector, front):
        front[:] = [other for other in front if other & ~vector]
        front.append(vector)


def meet(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """What is reached whichever of two things the opponents do: each plan for the one
    with each plan for the other, reaching what both reach."""
    front: list[int] = []
    # The largest first, which keeps the list short meanwhile.
    both = {one & other for one in first for other in second}
    for vector in sorted(both, key=int.bit_count, reverse=True):
        if not is_within(vector, front):
            front.append(vector)
    return front
