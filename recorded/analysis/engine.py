"""The engine, which has every open unit answered, a bounded number at a time."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Protocol, Self, TypeVar

from bridge_arena.oracle.errors import DeadlineError, OracleError, WorkerError
from bridge_arena.oracle.pool import DEADLINE, Oracle
from bridge_arena.recorded.analysis.answers import Answers, Outcome
from bridge_arena.recorded.analysis.units import solve

K = TypeVar("K")
T = TypeVar("T")

AHEAD = 4
"""Units that wait for each worker, so that no worker has to wait."""


class Solvers(Protocol):
    """Workers that answer units.

    Attributes:
        deadline: The seconds for a unit; None sets no limit.
    """

    deadline: float | None

    @property
    def capacity(self) -> int:
        """The number of units that keep the workers busy."""
        ...

    def submit(self, unit: str) -> Future[str]:
        """Have a worker answer a unit; the answer is what `solve` gives, or an OracleError."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class LocalSolvers:
    """Worker processes of this machine.

    Args:
        workers: The number of processes; one for each processor if None.
        deadline: The seconds for a unit; None sets no limit.

    Attributes:
        deadline: The seconds for a unit, or None.
    """

    def __init__(self, workers: int | None = None, deadline: float | None = DEADLINE) -> None:
        self.deadline = deadline
        self._oracle = Oracle(workers, deadline)

    @property
    def capacity(self) -> int:
        """The number of units that keep the workers busy."""
        return AHEAD * self._oracle.workers

    def submit(self, unit: str) -> Future[str]:
        """Have a worker answer a unit."""
        return self._oracle.submit(solve, unit)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._oracle.close()


def answer_all(answers: Answers, solvers: Solvers, on_answers: Callable[[int], None]) -> None:
    """Have the open units answered.

    A unit that takes longer than the deadline, or that the solver refuses, is kept as a failure.

    Args:
        answers: The open file of answers.
        solvers: The workers.
        on_answers: Called with the number of units done, each time that some are.

    Raises:
        AnswersError: The file of answers cannot be used.
        PoolError: The workers cannot go on; `submit` raises it.
    """
    units = ((unit, unit) for unit in answers.open_units(solvers.deadline))
    for done in answered(units, solvers):
        answers.save([(unit, _outcome(answer, solvers.deadline)) for unit, answer in done])
        on_answers(len(done))


def answered(
    units: Iterator[tuple[K, str]], solvers: Solvers
) -> Iterator[list[tuple[K, Future[str]]]]:
    """Yield the answers as they come, some at a time.

    A unit whose worker dies is tried once more. What `submit` raises is raised here.

    Args:
        units: The units, each with a key; all keys differ.
        solvers: The workers.

    Yields:
        Answers, each with the key of its unit.
    """
    done: queue.SimpleQueue[tuple[K, str, Future[str]]] = queue.SimpleQueue()
    waiting = 0
    tried: set[K] = set()

    def submit(key: K, unit: str) -> None:
        nonlocal waiting
        waiting += 1
        solvers.submit(unit).add_done_callback(lambda answer: done.put((key, unit, answer)))

    while True:
        while waiting < solvers.capacity and (following := next(units, None)) is not None:
            submit(*following)
        if not waiting:
            return
        answers: list[tuple[K, Future[str]]] = []
        for key, unit, answer in _drain(done):
            waiting -= 1
            if isinstance(answer.exception(), WorkerError) and key not in tried:
                tried.add(key)
                submit(key, unit)
            else:
                answers.append((key, answer))
        yield answers


def _drain(done: queue.SimpleQueue[T]) -> Iterator[T]:
    """Yield what is done: wait for the first, then take the others that are there."""
    yield done.get()
    while not done.empty():
        yield done.get()


def _outcome(answer: Future[str], deadline: float | None) -> Outcome:
    try:
        return Outcome(answer.result())
    except DeadlineError as error:
        return Outcome("", str(error), deadline or 0.0)
    except OracleError as error:
        return Outcome("", str(error))
