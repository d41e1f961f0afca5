"""Workers that answer units, here or on a Dask cluster, and the work of having all answered.

A Dask worker that dies costs only time: an answer is kept under its unit's id, and counts once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import cache
from math import inf
from typing import Protocol, Self

from bridge_arena.base.bounded_work import AHEAD, as_completed
from bridge_arena.base.concurrency import first_error
from bridge_arena.oracle import DEADLINE
from bridge_arena.oracle.dds import source
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.errors import (
    ClosedError,
    DeadlineError,
    OracleError,
    PoolError,
    WorkerError,
)
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.table_store import TableStore
from bridge_arena.recorded.analysis.answers import Answers, AnswersError, Outcome, costs_in
from bridge_arena.recorded.analysis.units import solve, table_answer, table_deal
from bridge_arena.recorded.calls.question import rough
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.tournaments.play.cluster import Cluster

_LEAST = 16
"""Units given to a cluster whose workers have not come yet."""

_RECOUNT = 100
"""Units after which the workers are counted again."""


class Solvers(Protocol):
    """Workers that answer units."""

    deadline: float | None  # the seconds of processor time for a unit; None sets no limit

    @property
    def capacity(self) -> int:
        """The number of units that keep the workers busy."""

    def submit(self, unit: str) -> Future[str]:
        """Have a worker answer a unit; the answer is what `solve` gives, or an OracleError."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_error: object) -> None: ...


class LocalSolvers:
    """Worker processes of this machine: one for each processor, unless `workers` says how many."""

    def __init__(
        self,
        workers: int | None = None,
        deadline: float | None = DEADLINE,
        store: TableStore | None = None,
    ) -> None:
        self.deadline = deadline
        self._oracle = Oracle(workers, deadline, store=store)

    @property
    def capacity(self) -> int:
        return AHEAD * self._oracle.workers

    def submit(self, unit: str) -> Future[str]:
        """Have a worker answer a unit, unless the store has the table that it asks for."""
        deal = table_deal(unit)
        if deal is None:
            return self._oracle.submit(solve, unit)
        answer: Future[str] = Future()
        self._oracle.table(deal).add_done_callback(lambda table: _pass_on(table, answer))
        return answer

    def __enter__(self) -> Self:
        """Begin work. Raises SolverError if there is no solver here."""
        source()
        return self

    def __exit__(self, *_error: object) -> None:
        self._oracle.close()


def _pass_on(table: Future[DoubleDummyTable], answer: Future[str]) -> None:
    try:
        answer.set_result(table_answer(table.result()))
    except OracleError as error:
        answer.set_exception(error)


class SharedSolvers:
    """Solvers that are asked a question once at a time, however many wait for the answer."""

    def __init__(self, solvers: Solvers) -> None:
        self.deadline = solvers.deadline
        self._solvers = solvers
        # The answers that are waited for, by unit.
        self._waiting: dict[str, Future[str]] = {}

    @property
    def capacity(self) -> int:
        return self._solvers.capacity

    def submit(self, unit: str) -> Future[str]:
        """Have a worker answer a unit, unless one is at it."""
        answer = self._waiting.get(unit)
        if answer is None:
            answer = self._waiting[unit] = self._solvers.submit(unit)
            answer.add_done_callback(lambda _answer: self._waiting.pop(unit, None))
        return answer

    def __enter__(self) -> Self:
        self._solvers.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._solvers.__exit__(*error)


class DaskSolvers:
    """The workers of one Dask scheduler. Raises ClusterError."""

    def __init__(self, address: str, deadline: float | None = DEADLINE) -> None:
        self.deadline = deadline
        self._cluster = Cluster(address)
        self._submitted = 0
        self._threads = 0

    @property
    def capacity(self) -> int:
        """The number of units that keep the cluster busy, which grows with it."""
        return max(_LEAST, AHEAD * self._threads)

    def submit(self, unit: str) -> Future[str]:
        if self._submitted % _RECOUNT == 0:
            self._threads = self._cluster.threads()
        self._submitted += 1
        return self._cluster.submit(solve_on_worker, unit, self.deadline)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._cluster.__exit__(None, None, None)


def solve_on_worker(unit: str, deadline: float | None) -> str:
    """Return the answer of a unit, in a Dask worker.

    A process of the worker's own does the solving, as it ends at the deadline.
    """
    return _oracle(deadline).submit(solve, unit).result()


@cache
def _oracle(deadline: float | None) -> Oracle:
    """Return the pool of a Dask worker for all its threads; its processes end with it."""
    return Oracle(deadline=deadline)


def answer_all(answers: Answers, solvers: Solvers, on_answers: Callable[[int], None]) -> None:
    """Have the open units answered; `on_answers` hears how many are done, each time that some are.

    A unit that takes longer than the deadline, or that the solver refuses, is kept as a failure.
    Raises AnswersError, and PoolError if the workers cannot go on.
    """
    units = ((unit, unit) for unit in answers.open_units(solvers.deadline))
    for done in as_completed(units, solvers.submit, lambda: solvers.capacity, retried=WorkerError):
        answers.save([(unit, _outcome(answer, solvers.deadline)) for unit, answer in done])
        on_answers(len(done))


def _outcome(answer: Future[str], deadline: float | None) -> Outcome:
    try:
        return Outcome(answer.result())
    except DeadlineError as error:
        return Outcome("", str(error), deadline or 0.0)
    except OracleError as error:
        return Outcome("", str(error))


async def find_costs(
    units: Sequence[str],
    answers: Answers,
    solvers: Solvers,
    on_cost: Callable[[int, CallCost | None], None],
    on_estimate: Callable[[int, CallCost], None] = lambda _place, _estimate: None,
) -> None:
    """Tell the cost of each call as soon as it is known, or None if it cannot be found.

    Costs that are not kept are first estimated on a few layouts, and then found in the order of
    their estimates, the biggest first. A cost is kept at once, so a cancelled search can be
    continued later; an estimate is not. Raises AnswersError, and ClosedError if the workers were
    closed.

    Args:
        on_cost: Called with the place of a call among `units`, and its cost.
        on_estimate: Called with the place of a call, and the estimate of its cost.
    """
    known = answers.outcomes(units)
    left = {place: unit for place, unit in enumerate(units) if unit not in known}
    for place, cost in enumerate(costs_in(known, units)):
        if place not in left:
            on_cost(place, cost)
    # A call whose cost cannot be estimated comes first.
    estimates = dict.fromkeys(left, inf)

    async def estimate(place: int, unit: str) -> None:
        question = rough(unit)
        (cost,) = costs_in({question: await _answer(question, None, solvers)}, [question])
        if cost is not None:
            estimates[place] = cost.gain
            on_estimate(place, cost)

    async def find(place: int, unit: str) -> None:
        on_cost(place, *costs_in({unit: await _answer(unit, answers, solvers)}, [unit]))

    with first_error(AnswersError, ClosedError):
        async with asyncio.TaskGroup() as group:
            for place, unit in left.items():
                group.create_task(estimate(place, unit))
        async with asyncio.TaskGroup() as group:
            # Workers take questions in the order in which they are asked.
            for place in sorted(left, key=lambda place: -estimates[place]):
                group.create_task(find(place, left[place]))


async def _answer(unit: str, answers: Answers | None, solvers: Solvers) -> Outcome:
    """Return a worker's outcome; `answers` keep it unless another try may succeed."""
    try:
        outcome = Outcome(await asyncio.wrap_future(solvers.submit(unit)))
    except ClosedError:
        raise
    except PoolError as error:
        return Outcome("", str(error))
    except OracleError as error:
        outcome = Outcome("", str(error))
    if answers is not None:
        answers.save([(unit, outcome)])
    return outcome
