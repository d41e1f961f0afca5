"""A Dask cluster, whose workers have Bridge Arena installed. It needs the extra `cluster`.

A worker that dies costs only time: the scheduler gives its tasks to other workers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from bridge_arena.oracle.errors import OracleError, WorkerError

if TYPE_CHECKING:  # Dask is an extra, and slow to load
    from distributed import Client
    from distributed import Future as RemoteFuture


class ClusterError(Exception):
    """The cluster cannot be reached, or is gone; the message is one line."""


class TaskError(ClusterError):
    """A worker raised an error over its task; the message is one line."""

    player = ""  # the name of the bot at fault; "" if it is not known


P = ParamSpec("P")
T = TypeVar("T")

_PATIENCE = 5.0
"""Seconds that the scheduler may take to answer."""


class Cluster:
    """The workers of the Dask scheduler at an address, `tcp://HOST:PORT`. Raises ClusterError."""

    def __init__(self, address: str) -> None:
        if ":" not in address:
            raise ClusterError(f"{address!r} is no scheduler's address (tcp://HOST:PORT)")
        self._address = address
        self._client = self._connected()

    def threads(self) -> int:
        """Return the present number of threads of all workers.

        It connects again to a scheduler that was gone. Raises ClusterError.
        """
        if self._client.status == "closed":
            self._client = self._connected()
        try:
            return sum(self._client.nthreads().values())
        except (OSError, RuntimeError) as error:
            raise ClusterError(f"the cluster does not answer: {_reason(error)}") from None

    def submit(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a worker call a function, and return the future of its result.

        Its exception may be an OracleError that the function raised, a WorkerError if several
        workers died over it, a TaskError for another error, or a ClusterError.
        """
        answer: Future[T] = Future()
        remote = self._client.submit(function, *args, **kwargs, pure=False)
        remote.add_done_callback(lambda done: _pass_on(done, answer))
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close(timeout=2)

    def _connected(self) -> Client:
        from distributed import Client  # noqa: PLC0415

        # Dask logs every broken connection; the errors that matter are raised. Its import sets
        # levels of its own.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            return Client(self._address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"no Dask scheduler at {self._address}: {_reason(error)}") from None


def _pass_on(done: RemoteFuture[T], answer: Future[T]) -> None:
    from distributed import KilledWorker  # noqa: PLC0415

    try:
        answer.set_result(done.result())
    except OracleError as error:
        answer.set_exception(error)
    except KilledWorker:
        answer.set_exception(WorkerError("several workers died over it"))
    except BaseException as error:  # among them asyncio's CancelledError
        text = f"the cluster gave up: {_reason(error)}"
        if done.cancelled():
            answer.set_exception(ClusterError(text))
            return
        failed = TaskError(text)
        failed.player = getattr(error, "player", "")
        answer.set_exception(failed)


def _reason(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
