"""The double-dummy values of the play of an event, which are kept in the store."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress

from bridge_arena.base.bounded_work import AHEAD, work_off
from bridge_arena.base.concurrency import processors
from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.oracle.errors import ClosedError, DeadlineError, OracleError, WorkerError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.tournaments.store import Store, StoreError, Units


class Ledgers:
    """The valuation of units while play goes on, by processes that give way to all others.

    It works while its context is entered. Units that are not valued by then can be valued later.

    Args:
        played: The units that were played before; those that are not valued yet come first.
        oracle: The processes, which stay open; None for its own.
    """

    def __init__(self, store: Store, played: Units, oracle: Oracle | None = None) -> None:
        self._store = store
        self._played = played
        # One processor is that of the tables.
        self._oracle = oracle or Oracle(workers=max(1, processors() - 1), background=True)
        self._closes = oracle is None
        # The units that nobody has taken yet: on busy processors almost all of an event.
        self._waiting = deque[tuple[str, BoardRecord]]()
        self._tasks = set[asyncio.Task[None]]()  # each takes units until none waits

    def add(self, unit: str, record: BoardRecord) -> None:
        """Have a unit valued that has ended."""
        if has_ledger(record):
            self._waiting.append((unit, record))
            if len(self._tasks) < _capacity(self._oracle):
                task = asyncio.create_task(self._work())
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _work(self) -> None:
        while self._waiting:
            unit, record = self._waiting.popleft()
            # While play goes on, the deadline may pass; and the unit may have been dropped since.
            with suppress(DeadlineError, ClosedError, WorkerError, StoreError):
                await value(self._store, unit, record, self._oracle)

    async def __aenter__(self) -> Ledgers:
        for unit, record in missing(self._store, self._played):
            self.add(unit, record)
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        try:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            if self._closes:
                self._oracle.close()


async def complete(
    store: Store, left: Units, on_table: Callable[[], None], oracle: Oracle | None = None
) -> None:
    """Value units that are not valued yet, by default with all processors. Raises StoreError."""
    with Oracle() if oracle is None else nullcontext(oracle) as solvers:

        async def add(unit: tuple[str, BoardRecord]) -> None:
            try:
                await value(store, *unit, solvers)
            except DeadlineError:
                store.save_analysis(unit[0], None)
            except WorkerError:
                pass  # another attempt may succeed

        def count(_unit: object, _result: None) -> bool:
            on_table()
            return True

        await work_off(left, add, lambda: _capacity(solvers), count)


def missing(store: Store, units: Units) -> Units:
    """Return those of all units that are still to be valued."""
    done = store.analysed()
    return [(unit, record) for unit, record in units if unit not in done and has_ledger(record)]


def has_ledger(record: BoardRecord) -> bool:
    """Return whether a board has play to value: not if it was passed out or is unfinished."""
    return record.contract is not None and record.is_finished


async def value(store: Store, unit: str, record: BoardRecord, oracle: Oracle) -> None:
    """Value one unit and store the result, which is None if the play breaks the rules.

    Raises DeadlineError, ClosedError, WorkerError and StoreError.
    """
    store.save_analysis(unit, await values_of(record, oracle))


async def values_of(record: BoardRecord, oracle: Oracle) -> tuple[int, ...] | None:
    """Return declarer's double-dummy tricks before the lead and after each card.

    A board that was only bid has them in its result; one that was passed out, or for which the
    solver has no answer, has none. Raises DeadlineError, ClosedError and WorkerError.
    """
    if record.contract is None:
        return None
    if record.mode is Mode.BIDDING and record.tricks is not None:
        return (record.tricks,)
    try:
        return await oracle.play_values(record.board.deal, record.contract, record.cards)
    except (DeadlineError, ClosedError, WorkerError):
        raise
    except OracleError:
        return None


async def valued(records: Sequence[BoardRecord], on_table: Callable[[], None]) -> list[Played]:
    """Return records with their double-dummy values, in the same order."""
    played = [Played(record) for record in records]
    with Oracle() as oracle:

        async def values(place: int) -> tuple[int, ...] | None:
            with suppress(DeadlineError, WorkerError):
                return await values_of(records[place], oracle)
            return None

        def keep(place: int, tricks: tuple[int, ...] | None) -> bool:
            played[place] = Played(records[place], tricks)
            on_table()
            return True

        places = [place for place, record in enumerate(records) if has_ledger(record)]
        await work_off(places, values, lambda: _capacity(oracle), keep)
    return played


def _capacity(oracle: Oracle) -> int:
    """Return the number of units that keep the workers busy."""
    return AHEAD * oracle.workers
