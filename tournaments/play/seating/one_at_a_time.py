"""Players who sit at one table only, wherever the event needs them: tables take turns with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager

from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat


class OneAtATime:
    """The locks that keep such players from playing at two tables at once."""

    def __init__(self) -> None:
        # The lock of each player, by name, held by the table that the player plays at.
        self._taken: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def at_one_table(self, entry_seats: Iterable[EntrySeat]) -> AsyncIterator[None]:
        """Keep those seats that belong to such players from all other tables, in this context."""
        ours = {
            entry_seat.person or str(entry_seat)
            for entry_seat in entry_seats
            if entry_seat.entry.access in (Access.BLUECHIP, Access.HUMAN)
        }
        async with AsyncExitStack() as held:
            # All tables lock in the same order, so that no two wait for each other.
            for player in sorted(ours):
                await held.enter_async_context(self._taken.setdefault(player, asyncio.Lock()))
            yield
