"""Work on many items in several threads, with a time limit.

The double-dummy solver lets other threads run while it works, cannot be interrupted, and takes
minutes for a rare deal. So the work is done by daemon threads: one that is still busy when the time
is up is left behind, and ends when its answer comes. (A process that ends sooner is killed by a
fault of DDS itself, whose memory is freed while the thread still uses it. No work of the arena is
lost by then.)
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

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

    It is None for an item that was not done at `until`, a time of `time.monotonic()`; without it
    every item is done. What the function raises is raised here.
    """
    if until is None and len(items) == 1:
        return [function(items[0])]
    results: list[R | None] = [None] * len(items)
    if is_up(until):
        return results
    # Both may be used by several threads at once without a lock.
    waiting = deque(enumerate(items))
    answers: SimpleQueue[tuple[int, R] | BaseException] = SimpleQueue()

    def work() -> None:
        while True:
            try:
                index, item = waiting.popleft()
            except IndexError:
                return
            try:
                answers.put((index, function(item)))
            except BaseException as error:
                answers.put(error)

    for _ in range(min(len(items), processors(), MOST_THREADS)):
        Thread(target=work, name="solver", daemon=True).start()
    try:
        for _ in items:
            left = None if until is None else max(0.0, until - time.monotonic())
            answer = answers.get(timeout=left)
            if isinstance(answer, BaseException):
                raise answer
            index, result = answer
            results[index] = result
    except Empty:
        pass
    finally:
        # What no thread has begun is not begun any more.
        waiting.clear()
    return results
