"""Pages that are made when somebody asks, so that no crowd holds up the play."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

MOST_WAITING = 20
"""The most requests that wait for a page."""

T = TypeVar("T")


class KeptPages(Generic[T]):
    """Makes pages one at a time, each once for as long as nothing changes.

    Args:
        most: The most pages that are kept, those that were asked for last.
        rest: For so many times as long as the last one took, none is made.
    """

    def __init__(self, most: int, rest: float = 0.0) -> None:
        self._most = most
        self._rest = rest
        self._making = asyncio.Lock()
        self._waiting = 0
        self._pause = 0.0  # the seconds before another one is made
        # By their keys, in the order of the last requests.
        self._made: dict[Hashable, T] = {}

    def forget(self) -> None:
        """Keep none of them, as what they show has changed."""
        self._made = {}

    async def page(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """Return the page of a key, which is made unless it is kept.

        Raises QueueFull if too many wait, and what `make` raises.
        """
        if key in self._made:
            return self._keep(key, self._made[key])
        if self._waiting >= MOST_WAITING:
            raise asyncio.QueueFull
        self._waiting += 1
        try:
            async with self._making:
                if key in self._made:  # made in the meantime
                    return self._keep(key, self._made[key])
                await asyncio.sleep(self._pause)
                made, began = self._made, time.perf_counter()
                page = await make()
                self._pause = self._rest * (time.perf_counter() - began)
                # What has changed meanwhile may not be in it.
                return self._keep(key, page) if made is self._made else page
        finally:
            self._waiting -= 1

    def _keep(self, key: Hashable, page: T) -> T:
        self._made.pop(key, None)
        self._made[key] = page
        if len(self._made) > self._most:
            del self._made[next(iter(self._made))]
        return page
