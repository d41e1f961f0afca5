"""A cache of double-dummy tables by deal, so that no deal is solved twice.

It does not know how a table is made: it is given a function that starts the work.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass

from bridge_arena.bridge.cards import Deal
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable


@dataclass(slots=True)
class _Pending:
    """A table in the making: the work, and the number of requests that wait for it."""

    work: Future[DoubleDummyTable]
    waiting: int = 0


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
        """Request the table of a deal."""
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


def _pass_on(work: Future[DoubleDummyTable], answer: Future[DoubleDummyTable]) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    if work.cancelled():
        answer.set_exception(CancelledError())
    elif (error := work.exception()) is not None:
        answer.set_exception(error)
    else:
        answer.set_result(work.result())
