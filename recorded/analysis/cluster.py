"""Units answered by a Dask cluster.

A worker that dies costs only time: an answer is kept under its unit's id, so none counts
twice.
"""

from __future__ import annotations

from concurrent.futures import Future
from functools import cache
from types import TracebackType
from typing import Self

from bridge_arena.oracle.pool import DEADLINE, Oracle
from bridge_arena.recorded.analysis.engine import AHEAD
from bridge_arena.recorded.analysis.units import solve
from bridge_arena.tournaments.play.cluster import Cluster

_LEAST = 16
"""Units given to a cluster whose workers are still to come."""

_RECOUNT = 100
"""Units after which its workers are counted again."""


class DaskSolvers:
    """The workers of one Dask scheduler. Raises ClusterError."""

    def __init__(self, address: str, deadline: float | None = DEADLINE) -> None:
        self.deadline = deadline
        self._cluster = Cluster(address)
        self._submitted = 0
        self._threads = 0

    @property
    def capacity(self) -> int:
        """Grows with the cluster, which is asked now and then."""
        return max(_LEAST, AHEAD * self._threads)

    def submit(self, unit: str) -> Future[str]:
        if self._submitted % _RECOUNT == 0:
            self._threads = self._cluster.threads()
        self._submitted += 1
        return self._cluster.submit(solve_on_worker, unit, self.deadline)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._cluster.__exit__(kind, error, trace)


def solve_on_worker(unit: str, deadline: float | None) -> str:
    """Runs in a Dask worker, and has a process of the worker's own do the solving,
    which can be killed at the deadline."""
    return _oracle(deadline).submit(solve, unit).result()


@cache
def _oracle(deadline: float | None) -> Oracle:
    """One pool in each Dask worker, for all its threads. Its processes end with it."""
    return Oracle(deadline=deadline)
