"""The double-dummy values of the play of an event, which are kept in the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from bridge_arena.base.concurrency import first_error
from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.oracle.errors import ClosedError, DeadlineError, OracleError, WorkerError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.tournaments.store import Store, StoreError, Units


class Ledgers:
    """The valuation of units while play goes on, in a process of low priority.

    It works while its context is entered. Units that are not valued by then can be valued later.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._oracle = Oracle(workers=1, background=True)
        self._tasks = set[asyncio.Task[None]]()

    def add(self, unit: str, record: BoardRecord) -> None:
        """Start to value a unit that has ended."""
        if has_ledger(record):
            task = asyncio.create_task(self._value(unit, record))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _value(self, unit: str, record: BoardRecord) -> None:
        # While play goes on, the deadline may pass; and the unit may have been dropped since.
        with suppress(DeadlineError, ClosedError, WorkerError, StoreError):
            await value(self._store, unit, record, self._oracle)

    async def __aenter__(self) -> Ledgers:
        self._oracle.__enter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._oracle.close()


async def complete(store: Store, left: Units, on_table: Callable[[], None]) -> None:
    """Value units that are not valued yet, with all processors. Raises StoreError."""
    with Oracle() as oracle:

        async def add(unit: str, record: BoardRecord) -> None:
            try:
                await value(store, unit, record, oracle)
            except DeadlineError:
                store.save_analysis(unit, None)
            except WorkerError:
                pass  # another attempt may succeed
            on_table()

        with first_error(StoreError):
            async with asyncio.TaskGroup() as group:
                for unit, record in left:
                    group.create_task(add(unit, record))


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
    with Oracle() as oracle:

        async def value(record: BoardRecord) -> Played:
            try:
                values = await values_of(record, oracle) if has_ledger(record) else None
            except (DeadlineError, WorkerError):
                values = None
            on_table()
            return Played(record, values)

        return list(await asyncio.gather(*map(value, records)))
