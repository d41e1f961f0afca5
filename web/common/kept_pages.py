"""Pages that are made when somebody asks, so that a crowd costs no more than one reader."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

MOST_WAITING = 200
"""The most requests that wait for a page."""

T = TypeVar("T")


class KeptPages(Generic[T]):
    """Makes pages one at a time, each once for as long as nothing changes.

    Args:
        most: The most pages that are kept, those that were asked for last.
        stay: For so many seconds a page stays as it is, though what it shows has changed. Whoever
            asks so long after a change gets a page that was made after it.
        now: Returns the time in seconds.
    """

    def __init__(
        self, most: int, stay: float = 0.0, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._stay = stay
        self._now = now
        self._making = asyncio.Lock()
        self._waiting = 0
        # Each with the time when its making began, by their keys in the order of the last requests.
        self._made: dict[Hashable, tuple[float, T]] = {}
        self._changed = -math.inf  # when what they show has changed

    def note_change(self) -> None:
        """Make each page anew for its next request, once it has stayed long enough."""
        self._changed = self._now()

    async def page(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """Return the page of a key, which is made unless it is kept.

        Raises QueueFull if too many wait, and what `make` raises.
        """
        if (kept := self._kept(key)) is not None:
            return kept[1]
        if self._waiting >= MOST_WAITING:
            raise asyncio.QueueFull
        self._waiting += 1
        try:
            async with self._making:
                if (kept := self._kept(key)) is not None:  # made in the meantime
                    return kept[1]
                began = self._now()
                page = await make()
                self._made.pop(key, None)
                if page is not None:  # what is not there takes no place
                    self._made[key] = began, page
                if len(self._made) > self._most:
                    del self._made[next(iter(self._made))]
                return page
        finally:
            self._waiting -= 1

    def _kept(self, key: Hashable) -> tuple[float, T] | None:
        """Return a page that need not be made, with the time when its making began."""
        kept = self._made.pop(key, None)
        if kept is None or (kept[0] <= self._changed and self._now() - kept[0] >= self._stay):
            return None
        self._made[key] = kept
        return kept
