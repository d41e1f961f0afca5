"""The lists of the boards of matches that are over."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial

from bridge_arena.web.common.kept_pages import KeptPages
from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.live.match_page import match_page
from bridge_arena.web.replays.listing import ROWS, start_of

KEPT = 32
"""The most pages that are kept."""


class MatchLists:
    """The lists of matches, each made in a thread when somebody asks."""

    def __init__(self, arena: LiveArena) -> None:
        self._arena = arena
        # By the match, the number of its boards and the place of the first one.
        self._pages: KeptPages[str] = KeptPages(KEPT)
        self._results = arena.lobby.so_far.results

    async def page(self, match: str, query: Mapping[str, str]) -> str:
        """Return a part of the list of a match of which something may be known.

        Raises QueueFull if too many wait.
        """
        results = self._arena.lobby.so_far.results
        if results is not self._results:
            self._pages.note_change()
            self._results = results
        length = len(self._arena.known_of(match))
        start = start_of(query, length)
        return await self._pages.page(
            (match, length, start), partial(self._made, match, start, length)
        )

    async def _made(self, match: str, start: int, length: int) -> str:
        known, results = self._arena.known_of(match), self._arena.lobby.so_far.results
        part = [self._arena.tables_of(unit) for unit in known[start : start + ROWS]]
        title = self._arena.title(known[0].match)
        return await asyncio.to_thread(match_page, title, part, start, length, results)
