"""Units answered by a Dask cluster.

A worker that dies costs only time: an answer is kept under its unit's id, so none counts twice.
"""

from __future__ import annotations

from concurrent.futures import Future
from functools import cache
from types import TracebackType
from typing import Self

from bridge_arena.oracle import DEADLINE
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.streaming import AHEAD
from bridge_arena.recorded.analysis.units import solve
from bridge_arena.tournaments.play.cluster import Cluster

_LEAST = 16
"""Units given to a cluster whose workers have not come yet."""

_RECOUNT = 100
"""Units after which the workers are counted again."""


class DaskSolvers:
    """The workers of one Dask scheduler.

    Args:
        deadline: The seconds of processor time for a unit; None sets no limit.

    Raises:
        ClusterError: The cluster cannot be used.
    """

    def __init__(self, address: str, deadline: float | None = DEADLINE) -> None:
        self.deadline = deadline  # the seconds of processor time for a unit, or None
        self._cluster = Cluster(address)
        self._submitted = 0
        self._threads = 0

    @property
    def capacity(self) -> int:
        """The number of units that keep the cluster busy, which grows with it."""
        return max(_LEAST, AHEAD * self._threads)

    def submit(self, unit: str) -> Future[str]:
        """Have a worker answer a unit."""
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
    """Return the answer of a unit, in a Dask worker.

    A process of the worker's own does the solving, as it ends at the deadline.

    Args:
        unit: The unit.
        deadline: The seconds of processor time for it, or None.
    """
    return _oracle(deadline).submit(solve, unit).result()


@cache
def _oracle(deadline: float | None) -> Oracle:
    """Return the pool of a Dask worker for all its threads; its processes end with it."""
    return Oracle(deadline=deadline)
