"""The biggest of many items, of which only so many are kept."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Biggest(Generic[T]):
    """The biggest items added, the biggest first; of equal ones the earlier."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._added = 0
        # The negative number of an item keeps the earlier of equal ones; items are never compared.
        self._heap: list[tuple[float, int, T]] = []

    def add(self, size: float, item: T) -> None:
        self._added += 1
        heapq.heappush(self._heap, (size, -self._added, item))
        if len(self._heap) > self._most:
            heapq.heappop(self._heap)

    def __iter__(self) -> Iterator[T]:
        return (item for *_, item in sorted(self._heap, key=lambda entry: entry[:2])[::-1])
