"""Exact cover: choices that together take every wanted thing once, and nothing twice.

Donald Knuth, Dancing Links (2000), algorithm X: take the thing that the fewest choices
are left for, and try each of them. Here without the links: the designs asked for are
small, and found after a few hundred steps.
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
    """Choices that take every wanted thing exactly once; None if there are none such.

    `choices`: what each takes. Things that are not wanted are taken at most once. Of many
    solutions it is always the same that is found, by the order of both arguments.
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
