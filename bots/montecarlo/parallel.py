"""Doing the same to many things in several threads, and stopping when time is up.

The double-dummy solver lets other threads run while it works, cannot be interrupted,
and takes minutes for a rare deal. So the work is done by daemon threads of its own:
one that is stuck when the time is up is left behind, and ends when its answer comes.
(A process that ends sooner is killed by a fault of DDS's own: its memory is freed
while the thread still uses it. Nothing of ours is lost by then.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

from bridge_arena.base.processors import processors

T = TypeVar("T")
R = TypeVar("R")

MOST_THREADS = 4
"""Each thread of the solver keeps 40 MB and more, and a bot is not alone on its machine."""


def is_up(until: float | None) -> bool:
    """Whether the time, of `time.monotonic()`, has come; None never comes."""
    return until is not None and time.monotonic() >= until


def map_in_time(
    function: Callable[[T], R], items: Sequence[T], until: float | None = None
) -> list[R | None]:
    """What the function makes of each item, in the order of the items.

    `until`: a time of `time.monotonic()` at which it returns with what is done: None
    stands for an item that is not; without one, every item is done. Raises what the
    function raised.
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
        # Guards all that follows.
        self._lock = Lock()
        # The items that no thread has taken.
        self._waiting = list(enumerate(items))[::-1]
        self._results: list[R | None] = [None] * len(items)
        # How many items are not done.
        self._undone = len(items)
        # What the function raised first.
        self._error: BaseException | None = None
        # Set when all is done, or something was raised.
        self._over = Event()
        if not items:
            self._over.set()

    def work(self) -> None:
        """Take items and do them until none is left."""
        while (task := self._take()) is not None:
            index, item = task
            try:
                result = self._function(item)
            except BaseException as error:
                self._fail(error)
            else:
                self._finish(index, result)

    def wait(self, until: float | None) -> list[R | None]:
        """The results, when all are there or the time is up."""
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
