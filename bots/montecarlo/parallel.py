"""Work on many items in several threads, with a time limit.

The double-dummy solver lets other threads run while it works, cannot be interrupted, and takes
minutes for a rare deal. So the work is done by daemon threads: one that is still busy when the time
is up is left behind, and ends when its answer comes. (A process that ends sooner is killed by a
fault of DDS itself, whose memory is freed while the thread still uses it. No work of the arena is
lost by then.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

from bridge_arena.base.concurrency import processors

T = TypeVar("T")
R = TypeVar("R")

MOST_THREADS = 4
"""The most threads: each of the solver keeps 40 MB and more, and other programs run too."""


def is_up(until: float | None) -> bool:
    """Return whether a time of `time.monotonic()` has come; None never comes."""
    return until is not None and time.monotonic() >= until


def map_in_time(
    function: Callable[[T], R], items: Sequence[T], until: float | None = None
) -> list[R | None]:
    """Return what the function makes of each item, in the order of the items.

    Args:
        function: The function.
        items: The items.
        until: A time of `time.monotonic()`, in seconds, at which the results so far are returned.
            Without it every item is done.

    Returns:
        The results, with None for an item that was not done in time. What the function raises is
        raised here.
    """
    if until is None and len(items) == 1:
        return [function(items[0])]
    if is_up(until):
        return [None] * len(items)
    job = _Job(function, items)
    for _ in range(min(len(items), processors(), MOST_THREADS)):
        Thread(target=job.work, name="solver", daemon=True).start()
    return job.wait(until)


class _Job(Generic[T, R]):
    """Items that several threads work on."""

    def __init__(self, function: Callable[[T], R], items: Sequence[T]) -> None:
        self._function = function
        # The lock guards everything that follows.
        self._lock = Lock()
        # The items that no thread has taken yet.
        self._waiting = list(enumerate(items))[::-1]
        self._results: list[R | None] = [None] * len(items)
        # The number of items that are not done.
        self._undone = len(items)
        # The first error that the function raised.
        self._error: BaseException | None = None
        # Set when all items are done, or an error was raised.
        self._over = Event()
        if not items:
            self._over.set()

    def work(self) -> None:
        while (task := self._take()) is not None:
            index, item = task
            try:
                result = self._function(item)
            except BaseException as error:
                self._fail(error)
            else:
                self._finish(index, result)

    def wait(self, until: float | None) -> list[R | None]:
        """Return the results when all are there or the time is up."""
        self._over.wait(None if until is None else max(0.0, until - time.monotonic()))
        with self._lock:
            self._waiting.clear()
            if self._error is not None:
                raise self._error
            return list(self._results)

    def _take(self) -> tuple[int, T] | None:
        with self._lock:
            return self._waiting.pop() if self._waiting else None

    def _finish(self, index: int, result: R) -> None:
        with self._lock:
            self._results[index] = result
            self._undone -= 1
            if not self._undone:
                self._over.set()

    def _fail(self, error: BaseException) -> None:
        with self._lock:
            self._waiting.clear()
            self._error = self._error or error
            self._over.set()
