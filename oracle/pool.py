"""Double-dummy answers from worker processes, without blocking an event loop.

The solver has no time-out and cannot be interrupted, and some deals take it minutes. So each worker
is a process with one solver thread. It ends when a task exceeds the deadline, and is replaced. The
deadline counts the processor time of the worker: on a busy machine a task only takes longer.

Workers are started as commands rather than through `multiprocessing`, whose children import the
caller's main script again, leave a resource tracker running, and are forbidden inside its own
daemonic processes (where Dask's workers live).
"""

from __future__ import annotations

import asyncio
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from typing import Any, Generic, ParamSpec, Self, TypeVar

from bridge_arena.base.background import BACKGROUND, weigh_session
from bridge_arena.base.concurrency import processors
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.oracle import DEADLINE, par, solver
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable, PartialTable
from bridge_arena.oracle.errors import ClosedError, DeadlineError, WorkerError
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.table_store import TableStore, shared_store

P = ParamSpec("P")

T = TypeVar("T")

_START_LIMIT = 60.0
"""The time limit of a worker's start, in seconds."""


class Oracle:
    """A pool of solver processes, which is closed by `close` or as a context manager.

    It is safe to share among threads and event loops. If the process dies without closing the pool,
    the workers notice it and exit.

    Every request raises DeadlineError, WorkerError (the worker died) or ClosedError besides the
    errors of the function in `solver` or `par` of the same name. A request whose coroutine is
    cancelled is dropped if no worker has begun it.

    Args:
        workers: The most processes; by default one for each processor that this process may use.
            Each is started when a task finds the others busy.
        deadline: The seconds of processor time that a worker may spend on one task (a table, a
            position, a play); None for no limit.
        store: The store on disk, where tables and the tricks of contracts are looked for and kept;
            by default the one that all commands share.
        background: Whether the workers leave other processes nearly all that they use.

    Raises:
        ValueError: `workers` is below 1.
    """

    def __init__(
        self,
        workers: int | None = None,
        deadline: float | None = DEADLINE,
        *,
        store: TableStore | None = None,
        background: bool = False,
    ) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"a pool of {workers} workers answers nothing")
        self.workers = workers or processors()  # the most processes that the pool starts
        self._deadline = deadline
        self._background = background
        self.store = shared_store() if store is None else store  # the store on disk
        self._cache = TableCache()
        self._queue: queue.SimpleQueue[_Task[Any] | None] = queue.SimpleQueue()
        # Guards the attributes below.
        self._lock = threading.Lock()
        self._unanswered = 0  # the number of tasks submitted and not yet answered
        # Each has one worker process, which it starts for its first task.
        self._keepers: list[_Keeper] = []
        self._closed = False

    # Requests.

    async def tables(self, deals: Sequence[Deal]) -> list[DoubleDummyTable]:
        """Return the double-dummy tables of deals, in their order; see `solver.tables`.

        Each is a task of its own, so the deadline is per deal.
        """
        answers = [self.table(deal) for deal in deals]
        try:
            return [await asyncio.wrap_future(answer) for answer in answers]
        finally:
            # If one failed, or the caller was cancelled, the others are not needed.
            for answer in answers:
                answer.cancel()

    async def tricks(self, deal: Deal, contract: Contract) -> int:
        """Return declarer's double-dummy tricks in a contract; see `solver.partial_table`."""
        cell = (contract.denomination, contract.declarer)

        def known() -> PartialTable | None:
            (table,) = self.store.find([deal])
            return table if table.knows([cell]) else None

        def keep(table: PartialTable) -> None:
            self.store.keep(deal, table)

        task = _Task(_request(solver.partial_table, deal, [cell]), known, keep)
        tricks = (await asyncio.wrap_future(self._begin(task))).tricks(*cell)
        assert tricks is not None
        return tricks

    async def card_values(self, position: Position) -> dict[Card, int]:
        """Return the value of each card that may be played; see `solver.card_values`."""
        return await asyncio.wrap_future(self.submit(solver.card_values, position))

    async def play_values(
        self, deal: Deal, contract: Contract, cards: Sequence[Card]
    ) -> tuple[int, ...]:
        """Return the values along a line of play; see `solver.play_values`."""
        future = self.submit(solver.play_values, deal, contract, tuple(cards))
        return await asyncio.wrap_future(future)

    async def par(self, deal: Deal, dealer: Seat, vulnerability: Vulnerability) -> par.Par:
        """Return the par of a deal; see `par.par`."""
        table = (await self.tables([deal]))[0]
        return await asyncio.wrap_future(self.submit(par.par, table, dealer, vulnerability))

    def table(self, deal: Deal) -> Future[DoubleDummyTable]:
        """Request one deal's table without an event loop, from memory or the store if known."""
        return self._cache.request(deal, self._begin_table)

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function in a worker, and return the future of its result.

        The worker imports the function by its name (it is not defined in a main script); arguments
        and result are pickled. An exception of the function that is no OracleError arrives as
        SolverError. ClosedError is raised if the pool is closed.
        """
        return self._begin(_Task(_request(function, *args, **kwargs)))

    def _begin_table(self, deal: Deal) -> Future[DoubleDummyTable]:
        def known() -> DoubleDummyTable | None:
            return self.store.find([deal])[0].whole()

        def keep(table: DoubleDummyTable) -> None:
            self.store.keep(deal, PartialTable.of(table.results))

        return self._begin(_Task(_request(solver.double_dummy_table, deal), known, keep))

    def _begin(self, task: _Task[T]) -> Future[T]:
        """Give a task to the workers. Raises ClosedError."""
        with self._lock:
            if self._closed:
                raise ClosedError("the oracle is closed")
            self._unanswered += 1
            if self._unanswered > len(self._keepers) < self.workers:
                keeper = _Keeper(self._queue, self._deadline, background=self._background)
                self._keepers.append(keeper)
                keeper.start()
            self._queue.put(task)
        task.future.add_done_callback(self._count_answer)
        return task.future

    # Closing.

    def close(self) -> None:
        """Kill the workers; requests that still wait get ClosedError.

        It takes some milliseconds, in which the store is written. Closing again does nothing.
        """
        with self._lock:
            if self._closed:
                return
            self._closed = True
            keepers = self._keepers
        for keeper in keepers:
            keeper.stop()
        # Every keeper takes tasks until it receives its own None. As it is stopped, it answers each
        # task with ClosedError.
        for _ in keepers:
            self._queue.put(None)
        for keeper in keepers:
            keeper.join()
        self.store.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _count_answer(self, _future: Future[T]) -> None:
        with self._lock:
            self._unanswered -= 1


@dataclass(frozen=True, slots=True)
class _Task(Generic[T]):
    """A question to a worker."""

    request: bytes  # the pickled (function, args, kwargs)
    # Returns the answer if it is known without a worker, else None.
    known: Callable[[], T | None] = lambda: None
    keep: Callable[[T], None] = lambda _answer: None  # receives the answer of a worker
    future: Future[T] = field(default_factory=Future)  # receives either answer


def _request(function: Callable[P, Any], /, *args: P.args, **kwargs: P.kwargs) -> bytes:
    return pickle.dumps((function, args, kwargs))


class TableCache:
    """A cache of double-dummy tables, safe to use from several threads.

    Requests for a deal that is being solved wait for the same answer. All requests that wait
    receive a failure, which is not kept. Work for which no request waits any more is cancelled if
    it has not begun.
    """

    def __init__(self, size: int = 10_000) -> None:
        self._size = size
        # Reentrant: callbacks of a future that is already done run at once.
        self._lock = threading.RLock()
        self._tables: OrderedDict[Deal, DoubleDummyTable] = OrderedDict()
        self._pending: dict[Deal, _Pending] = {}

    def request(
        self, deal: Deal, solve: Callable[[Deal], Future[DoubleDummyTable]]
    ) -> Future[DoubleDummyTable]:
        answer: Future[DoubleDummyTable] = Future()
        with self._lock:
            table = self._tables.get(deal)
            if table is not None:
                self._tables.move_to_end(deal)
                answer.set_result(table)
                return answer
            pending = self._pending.get(deal) or self._begin(deal, solve)
            pending.waiting += 1
        pending.work.add_done_callback(lambda work: _pass_on(work, answer))
        answer.add_done_callback(lambda done: self._release(pending, done))
        return answer

    def __len__(self) -> int:
        return len(self._tables)

    def _begin(self, deal: Deal, solve: Callable[[Deal], Future[DoubleDummyTable]]) -> _Pending:
        pending = self._pending[deal] = _Pending(solve(deal))
        pending.work.add_done_callback(lambda work: self._settle(deal, work))
        return pending

    def _settle(self, deal: Deal, work: Future[DoubleDummyTable]) -> None:
        with self._lock:
            del self._pending[deal]
            if work.cancelled() or work.exception() is not None:
                return
            self._tables[deal] = work.result()
            while len(self._tables) > self._size:
                self._tables.popitem(last=False)

    def _release(self, pending: _Pending, answer: Future[DoubleDummyTable]) -> None:
        """Count a request as done; cancel the work if the last request was cancelled."""
        with self._lock:
            pending.waiting -= 1
            if answer.cancelled() and not pending.waiting:
                # This has no effect once a worker has begun; then the answer is kept.
                pending.work.cancel()


@dataclass(slots=True)
class _Pending:
    """A table in the making: the work, and the number of requests that wait for it."""

    work: Future[DoubleDummyTable]
    waiting: int = 0


def _pass_on(work: Future[DoubleDummyTable], answer: Future[DoubleDummyTable]) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    if work.cancelled():
        answer.set_exception(CancelledError())
    elif (error := work.exception()) is not None:
        answer.set_exception(error)
    else:
        answer.set_result(work.result())


class _Keeper(threading.Thread):
    """A thread that takes tasks from the queue and has its own worker process do them.

    It is a daemon thread: if the pool is never closed, it does not delay the interpreter's exit,
    and the worker exits when its pipe closes.
    """

    def __init__(
        self,
        tasks: queue.SimpleQueue[_Task[Any] | None],
        deadline: float | None,
        *,
        background: bool,
    ) -> None:
        super().__init__(name="oracle-keeper", daemon=True)
        self._tasks = tasks
        self._deadline = deadline
        self._background = background
        # Guards the attributes below, which `stop` uses from another thread.
        self._lock = threading.Lock()
        # The worker; None before the first task and after a worker's death.
        self._worker: _Worker | None = None
        self._stopped = False

    def run(self) -> None:
        """Do tasks until the queue gives None."""
        while (task := self._tasks.get()) is not None:
            if not task.future.set_running_or_notify_cancel():
                continue
            try:
                result = self._answer(task)
            except BaseException as error:
                task.future.set_exception(error)
            else:
                task.future.set_result(result)
        with self._lock:
            self._drop_worker()

    def stop(self) -> None:
        """Kill the worker and start no other."""
        with self._lock:
            self._stopped = True
            if self._worker is not None:
                self._worker.kill()

    def _answer(self, task: _Task[T]) -> T:
        with self._lock:
            self._check()
        answer = task.known()
        if answer is None:
            answer = self._do(task.request)
            task.keep(answer)
        return answer

    def _do(self, request: bytes) -> Any:
        try:
            return self._living_worker().ask(request)
        except (DeadlineError, WorkerError):
            with self._lock:
                self._drop_worker()
                self._check()
            raise

    def _living_worker(self) -> _Worker:
        with self._lock:
            self._check()
            if self._worker is None:
                self._worker = _Worker(self._deadline, background=self._background)
            return self._worker

    def _check(self) -> None:
        if self._stopped:
            raise ClosedError("the oracle was closed") from None

    def _drop_worker(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None


class _Worker:
    """A process of `oracle.worker` and the pipe to it; WorkerError if it cannot be created."""

    def __init__(self, deadline: float | None, *, background: bool) -> None:
        self._deadline = deadline
        self._background = background
        # Whether the process has reported that it is ready.
        self._ready = False
        # Whether its session is still to be weighed less than others.
        self._is_heavy = background
        self._connection, theirs = Pipe()
        # The worker finds modules where this process does.
        path = os.pathsep.join(str(Path(place).absolute()) for place in sys.path)
        try:
            self._process = subprocess.Popen(
                # -P: do not add the worker's own folder to the path.
                [
                    *(sys.executable, "-P", "-m", "bridge_arena.oracle.worker"),
                    *(str(theirs.fileno()), f"{deadline or 0}"),
                    *(["background"] if background else []),
                ],
                pass_fds=(theirs.fileno(),),
                # There is a worker for each processor, so numpy must not use several.
                env=os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
                # The solver writes dump.txt to its working folder if it finds an error.
                cwd=tempfile.gettempdir(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                # Its own session: the terminal's Ctrl-C does not reach it, and it can give way to
                # the sessions of others, among which Linux shares processors first.
                start_new_session=True,
            )
        except OSError as error:
            self._connection.close()
            raise WorkerError(f"a worker could not be started: {error}") from error
        finally:
            theirs.close()

    def ask(self, request: bytes) -> Any:
        """Return the worker's answer; after DeadlineError or WorkerError the worker is unusable."""
        try:
            if not self._ready:
                if not self._connection.poll(_START_LIMIT):
                    raise WorkerError(f"a worker did not start within {_START_LIMIT:g} s")
                if (error := self._connection.recv()) is not None:
                    raise WorkerError(str(error))
                self._ready = True
            if self._is_heavy:
                self._is_heavy = not weigh_session(self._process.pid, BACKGROUND)
            self._connection.send_bytes(request)
            worked, result = self._connection.recv()
        except (EOFError, OSError):
            status = self._process.wait()
            if status == -signal.SIGPROF:
                raise DeadlineError(
                    f"no answer from the solver within {self._deadline:g} s of processor time"
                ) from None
            raise WorkerError(f"a worker ended during its task, with status {status}") from None
        if not worked:
            raise result
        return result

    def kill(self) -> None:
        """End the process; whoever waits for its answer gets WorkerError."""
        if self._background and self._process.returncode is None:
            # To end takes time, which others would hardly leave it.
            weigh_session(self._process.pid, 0)
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End the process and close the pipe, which no other thread may be using."""
        self.kill()
        self._connection.close()
