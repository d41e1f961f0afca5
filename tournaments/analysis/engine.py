"""Has every open unit answered, a bounded number at a time, and keeps the answers."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Protocol, Self

from oracle.errors import DeadlineError, OracleError, WorkerError
from oracle.pool import DEADLINE, Oracle
from tournaments.analysis.answers import Answers, Outcome
from tournaments.analysis.units import solve

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
    a failure. One whose worker dies is tried once more. Raises AnswersError, and what
    `submit` raises.
    """
    units = answers.open_units(solvers.deadline)
    done: queue.SimpleQueue[tuple[str, Future[str]]] = queue.SimpleQueue()
    waiting = 0
    tried: set[str] = set()

    def submit(unit: str) -> None:
        nonlocal waiting
        waiting += 1
        solvers.submit(unit).add_done_callback(lambda answer: done.put((unit, answer)))

    while True:
        while waiting < solvers.capacity and (unit := next(units, None)) is not None:
            submit(unit)
        if not waiting:
            return
        outcomes: list[tuple[str, Outcome]] = []
        for unit, answer in _drain(done):
            waiting -= 1
            if isinstance(answer.exception(), WorkerError) and unit not in tried:
                tried.add(unit)
                submit(unit)
            else:
                outcomes.append((unit, _outcome(answer, solvers.deadline)))
        answers.save(outcomes)
        on_answers(len(outcomes))


def _drain(
    done: queue.SimpleQueue[tuple[str, Future[str]]],
) -> Iterator[tuple[str, Future[str]]]:
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
