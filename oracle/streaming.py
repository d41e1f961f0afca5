"""A bounded number of questions at a time, however many there are."""

from __future__ import annotations

import queue
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from typing import TypeVar

from bridge_arena.oracle.errors import WorkerError

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
U = TypeVar("U")

AHEAD = 4
"""Questions that wait for each worker, so that no worker has to wait."""


def answered(
    units: Iterator[tuple[K, U]],
    submit: Callable[[U], Future[T]],
    capacity: Callable[[], int],
) -> Iterator[list[tuple[K, Future[T]]]]:
    """Yield the answers as they come, some at a time.

    A unit whose worker dies is tried once more. What `submit` raises is raised here.

    Args:
        units: The units of work, each with a key; all keys differ.
        submit: Gives a unit to the workers.
        capacity: Returns the number of units that keep the workers busy.

    Yields:
        Answers, each with the key of its unit.
    """
    done: queue.SimpleQueue[tuple[K, U, Future[T]]] = queue.SimpleQueue()
    waiting = 0
    tried: set[K] = set()

    def begin(key: K, unit: U) -> None:
        nonlocal waiting
        waiting += 1
        submit(unit).add_done_callback(lambda answer: done.put((key, unit, answer)))

    while True:
        while waiting < capacity() and (following := next(units, None)) is not None:
            begin(*following)
        if not waiting:
            return
        answers: list[tuple[K, Future[T]]] = []
        for key, unit, answer in _drain(done):
            waiting -= 1
            if isinstance(answer.exception(), WorkerError) and key not in tried:
                tried.add(key)
                begin(key, unit)
            else:
                answers.append((key, answer))
        yield answers


def _drain(done: queue.SimpleQueue[U]) -> Iterator[U]:
    """Yield what is done: wait for the first, then take the others that are there."""
    yield done.get()
    while not done.empty():
        yield done.get()
