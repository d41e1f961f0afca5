"""A bounded number of tasks at a time, however many there are.

Who has many units of work for a few workers gives each worker a few units ahead, so that none has
to wait, but not all, so that memory and queues stay small and an early end costs little.
"""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
U = TypeVar("U")

AHEAD = 4
"""Short units that wait for each worker."""


def as_completed(
    units: Iterable[tuple[K, U]],
    submit: Callable[[U], Future[T]],
    capacity: Callable[[], int],
    retried: type[Exception] | tuple[()] = (),
) -> Iterator[list[tuple[K, Future[T]]]]:
    """Yield the answers to units as they come, some at a time; the caller's thread waits.

    Args:
        units: The units of work, each with a key; all keys differ.
        submit: Gives a unit to the workers. What it raises is raised here.
        capacity: Returns the number of units that keep the workers busy.
        retried: The error after which a unit is tried once more.

    Yields:
        Answers, each with the key of its unit.
    """
    done: queue.SimpleQueue[tuple[K, U, Future[T]]] = queue.SimpleQueue()
    units = iter(units)
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
            if isinstance(answer.exception(), retried) and key not in tried:
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


async def work_off(
    units: Iterable[U],
    start: Callable[[U], Awaitable[T]],
    capacity: Callable[[], int],
    keep: Callable[[U, T], bool],
) -> None:
    """Have units done without blocking the event loop; what is at work when it ends is cancelled.

    Args:
        units: The units of work; the next ones are taken as they are begun.
        start: Begins a unit. Its error ends the work.
        capacity: Returns the number of units that keep the workers busy.
        keep: Called with each unit and its result, as they come; returns whether to go on.
    """
    units = iter(units)
    running: dict[asyncio.Future[T], U] = {}
    try:
        while True:
            for unit in islice(units, max(0, capacity() - len(running))):
                running[asyncio.ensure_future(start(unit))] = unit
            if not running:
                return
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for future in done:
                if not keep(running.pop(future), future.result()):
                    return
    finally:
        for future in running:
            future.cancel()
