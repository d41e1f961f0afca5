"""Has every open unit answered, a bounded number at a time, and keeps the answers."""

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
"""Units that wait for each worker, so that it never waits for us."""


class Solvers(Protocol):
    """Whoever answers units: `capacity` at a time keep them busy."""

    deadline: float | None

    @property
    def capacity(self) -> int: ...

    def submit(self, unit: str) -> Future[str]:
        """The answer is what `solve` gives, or an OracleError."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class LocalSolvers:
    """Processes of this machine; None workers: one for each processor."""

    def __init__(self, workers: int | None = None, deadline: float | None = DEADLINE) -> None:
        self.deadline = deadline
        self._oracle = Oracle(workers, deadline)

    @property
    def capacity(self) -> int:
        return AHEAD * self._oracle.workers

    def submit(self, unit: str) -> Future[str]:
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
    """Answer the open units. `on_answers` is told how many more are done, each time.

    A unit that takes longer than the deadline, or that the solver refuses, is kept as
    a failure. Raises AnswersError, and what `submit` raises.
    """
    units = ((unit, unit) for unit in answers.open_units(solvers.deadline))
    for done in answered(units, solvers):
        answers.save([(unit, _outcome(answer, solvers.deadline)) for unit, answer in done])
        on_answers(len(done))


def answered(
    units: Iterator[tuple[K, str]], solvers: Solvers
) -> Iterator[list[tuple[K, Future[str]]]]:
    """The answers as they come, some at a time, each beside the key of its unit; keys differ
    from each other. A unit whose worker dies is tried once more. Raises what `submit` raises.
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
    """What is done: waits for the first, takes the others that are there."""
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
