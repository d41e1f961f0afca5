"""Exact cover: a set of choices that together take every wanted thing exactly once.

This is algorithm X of Donald Knuth, Dancing Links (2000): take the thing that the fewest choices
are left for, and try each of them. It does without the links, as the designs asked for are small
and found after a few hundred steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Choice = TypeVar("Choice")
Thing = TypeVar("Thing", bound=Hashable)


def exact_cover(
    choices: Mapping[Choice, frozenset[Thing]], wanted: Sequence[Thing]
) -> list[Choice] | None:
    """Return choices that together take every wanted thing exactly once.

    Of several solutions it always finds the same one, which depends on the order of both arguments.

    Args:
        choices: The things that each choice takes.
        wanted: The things to take; others are taken at most once.

    Returns:
        The choices; None if there is no solution.
    """
    if not wanted:
        return []
    left = Counter(thing for things in choices.values() for thing in things)
    scarcest = min(wanted, key=left.__getitem__)
    for choice, taken in choices.items():
        if scarcest in taken:
            rest = exact_cover(
                {other: things for other, things in choices.items() if taken.isdisjoint(things)},
                [thing for thing in wanted if thing not in taken],
            )
            if rest is not None:
                return [choice, *rest]
    return None
