"""Random choices that are the same on every machine and version of Python.

Python promises this for `Random.random()` only, so everything here draws with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def pick(rng: Random, items: Sequence[T]) -> T:
    """Return one of the items, each equally likely."""
    return items[int(rng.random() * len(items))]


def shuffled(rng: Random, items: Iterable[T]) -> list[T]:
    """Return the items in random order, each order equally likely."""
    keyed = [(rng.random(), place, item) for place, item in enumerate(items)]
    return [item for _, _, item in sorted(keyed)]
