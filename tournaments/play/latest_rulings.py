"""The rulings of an event as they were read last, for those who may not wait for the database."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType

from bridge_arena.tournaments.schedule.rulings import Ruling
from bridge_arena.tournaments.store import Store

SECONDS = 0.5
"""The seconds between two looks at the rulings."""


class LatestRulings:
    """The rulings of a store, which are read in a thread while its context is entered."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._rulings: Sequence[Ruling] = ()
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._reading = asyncio.create_task(self._read())

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
            self._reading = None

    def read(self) -> Sequence[Ruling]:
        """Return all rulings, as they were a moment ago. Raises StoreError."""
        if self._reading is not None and self._reading.done():
            self._reading.result()
        return self._rulings

    async def _read(self) -> None:
        while True:
            await asyncio.sleep(SECONDS)
            if await asyncio.to_thread(self.store.count_rulings) != len(self._rulings):
                self._rulings = await asyncio.to_thread(self.store.rulings)
