"""Units answered by a Dask cluster, whose workers have Bridge Arena installed.

Needs the extra `cluster`. A worker that dies costs only time: the scheduler gives its
units to others, and an answer is kept under its unit's id, so none counts twice.
"""

from __future__ import annotations

import logging
from concurrent.futures import Future
from functools import cache
from types import TracebackType
from typing import Self

from distributed import Client, KilledWorker
from distributed import Future as RemoteFuture

from oracle.errors import OracleError, WorkerError
from oracle.pool import DEADLINE, Oracle
from tournaments.analysis.engine import AHEAD
from tournaments.analysis.errors import ClusterError
from tournaments.analysis.units import solve

_LEAST = 16
"""Units given to a cluster whose workers are still to come."""

_RECOUNT = 100
"""Units after which its workers are counted again."""

_PATIENCE = 5.0
"""Seconds that the scheduler may take to answer."""


class DaskSolvers:
    """The workers of one Dask scheduler. Raises ClusterError."""

    def __init__(self, address: str, deadline: float | None = DEADLINE) -> None:
        self.deadline = deadline
        # It logs every broken connection; what matters is raised.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client = Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0]
            raise ClusterError(f"no Dask scheduler at {address}: {reason}") from None
        self._submitted = 0
        self._threads = 0

    @property
    def capacity(self) -> int:
        """Grows with the cluster, which is asked now and then."""
        return max(_LEAST, AHEAD * self._threads)

    def submit(self, unit: str) -> Future[str]:
        if self._submitted % _RECOUNT == 0:
            self._threads = sum(self._client.nthreads().values())
        self._submitted += 1
        answer: Future[str] = Future()
        remote = self._client.submit(solve_on_worker, unit, self.deadline, pure=False)
        remote.add_done_callback(lambda done: _pass_on(done, answer))
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close(timeout=2)


def solve_on_worker(unit: str, deadline: float | None) -> str:
    """Runs in a Dask worker, and has a process of the worker's own do the solving,
    which can be killed at the deadline."""
    return _oracle(deadline).submit(solve, unit).result()


@cache
def _oracle(deadline: float | None) -> Oracle:
    """One pool in each Dask worker, for all its threads. Its processes end with it."""
    return Oracle(deadline=deadline)


def _pass_on(done: RemoteFuture[str], answer: Future[str]) -> None:
    try:
        answer.set_result(done.result())
    except OracleError as error:
        answer.set_exception(error)
    except KilledWorker:
        answer.set_exception(WorkerError("several workers died over it"))
    except BaseException as error:  # among them asyncio's CancelledError
        reason = str(error) or type(error).__name__
        answer.set_exception(ClusterError(f"the cluster gave up: {reason.splitlines()[0]}"))
