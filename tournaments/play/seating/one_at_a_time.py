"""Players who are at one table only, wherever the event needs them: tables take turns with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager

from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat


class OneAtATime:
    """Sees to it that nobody of them is wanted at two tables."""

    def __init__(self) -> None:
        # Each is held by the table that the player plays at; by what names the player.
        self._taken: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def at_one_table(self, entry_seats: Iterable[EntrySeat]) -> AsyncIterator[None]:
        """Those of the seats that are for such players are one table's alone, in this context."""
        ours = {
            entry_seat.person or str(entry_seat)
            for entry_seat in entry_seats
            if entry_seat.entry.access in (Access.BLUECHIP, Access.HUMAN)
        }
        async with AsyncExitStack() as held:
            # All tables in the same order, so that no two wait for each other.
            for player in sorted(ours):
                await held.enter_async_context(self._taken.setdefault(player, asyncio.Lock()))
            yield
