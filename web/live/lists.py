"""The lists of the boards of matches that are over, made so that no crowd holds up the play."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.live.match_page import match_page
from bridge_arena.web.replays.listing import ROWS, start_of

MOST_WAITING = 20
"""The most requests that wait for a page."""

KEPT_PAGES = 32


class MatchLists:
    """Makes pages in a thread and one at a time, each once for as long as nothing changes."""

    def __init__(self, arena: LiveArena) -> None:
        self._arena = arena
        self._making = asyncio.Lock()
        self._waiting = 0
        # By the match, the number of its boards and the place of the first one; the latest last.
        self._made: dict[tuple[str, int, int], str] = {}
        self._results = arena.lobby.so_far.results

    async def page(self, match: str, query: Mapping[str, str]) -> str:
        """Return a part of the list of a match of which something may be known.

        Raises QueueFull if too many wait.
        """
        if self._waiting >= MOST_WAITING:
            raise asyncio.QueueFull
        self._waiting += 1
        try:
            async with self._making:
                return await self._page(match, query)
        finally:
            self._waiting -= 1

    async def _page(self, match: str, query: Mapping[str, str]) -> str:
        known, results = self._arena.known_of(match), self._arena.lobby.so_far.results
        if results is not self._results:
            self._made.clear()
            self._results = results
        length = len(known)
        start = start_of(query, length)
        page = self._made.pop((match, length, start), None)
        if page is None:
            part = [self._arena.tables_of(unit) for unit in known[start : start + ROWS]]
            title = self._arena.title(known[0].match)
            page = await asyncio.to_thread(match_page, title, part, start, length, results)
        self._made[match, length, start] = page
        if len(self._made) > KEPT_PAGES:
            del self._made[next(iter(self._made))]
        return page
