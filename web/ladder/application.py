"""The pages of a ladder, as a Starlette application.

/                  the leaderboard, the matches in play and the latest ones
/players/N/        a player, and /pairs/A/B/ two of them (`player_pages`)
/status            whether all is well
/figures           how each figure is made, in words
/queue             who meets next, and why
/tests             the sequential tests
/matches/          the matches that are over
/changes           the number of their state, and of each that follows, as server-sent events
/matches/N/        the boards of a match that is over
/play/             people at tables of their own (`people`)
/today/            the board of the day (`today`)
/api/v1/           all of it for programs (`api`), /feed.atom and /players/N/badge.svg
/static/FILE       scripts and styles

The pages are made once for each state of the ladder, and never for a reader. Those of players, and
lists, are made when somebody asks, one at a time.
"""

from __future__ import annotations

import asyncio
import math
import socket
import time
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments import StoreError
from bridge_arena.tournaments.ladder.day_changes import Changes, changes_since
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, leaderboard
from bridge_arena.tournaments.ladder.people.people_tables import Venues
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.scores_so_far import ScoreSoFar, ScoresSoFar
from bridge_arena.web.board.document import Link
from bridge_arena.web.common.kept_pages import KeptPages
from bridge_arena.web.common.serving import Page, hosts_at, serving, static_route
from bridge_arena.web.common.streams import Channel, Stream
from bridge_arena.web.ladder.lists import Make, list_routes
from bridge_arena.web.ladder.pages import (
    STAY_SECONDS,
    State,
    minute,
    pages_of,
    state_of,
    title_of_match,
)
from bridge_arena.web.ladder.people.open_tables import OpenTables, Visitors
from bridge_arena.web.ladder.people.people import PeoplePages
from bridge_arena.web.ladder.people.refusals import refused
from bridge_arena.web.ladder.people.today import TodayPages
from bridge_arena.web.ladder.player_pages import BoardFiles, player_routes
from bridge_arena.web.ladder.programs.api import LadderApi
from bridge_arena.web.ladder.programs.api_operations import Known
from bridge_arena.web.ladder.programs.badge import Badges
from bridge_arena.web.ladder.programs.feed import Feed
from bridge_arena.web.ladder.reading import NUMBER, unreadable
from bridge_arena.web.live.past import OpenedPages
from bridge_arena.web.replays.of_events import replays_of_events
from bridge_arena.web.viewing.application import Library, Viewing
from bridge_arena.web.viewing.on_demand import Figures

LOOK_SECONDS = 1.0
"""The least seconds between two looks at the ladder."""

REST = 9
"""For so many times as long as a look took, none follows: that time is for what readers ask for."""

SCORE_SECONDS = 10.0
"""The least seconds between two looks at the scores of matches in play, if nothing else changes."""

KEPT_PAGES = 1024
"""The most pages that are kept of those that are made when somebody asks."""


class LadderPages:
    """The pages of a ladder, for one event loop.

    Args:
        store: The store of the ladder.
        now: Returns the time in seconds.
    """

    def __init__(self, store: LadderStore, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._version = 0
        self._state: State | None = None
        # The pages by name; none before the first look.
        self._pages: dict[str, Page] = {}
        self._has_looked = asyncio.Event()
        self._board: LadderBoard | None = None
        self._changes: Changes | None = None
        self._scores_so_far = ScoresSoFar(store)
        self._scores: dict[int, ScoreSoFar] = {}
        self._scored = -math.inf  # when they were looked at last
        # Those that are made when somebody asks, by their keys.
        self._kept_pages = KeptPages[Page | None](KEPT_PAGES, STAY_SECONDS)
        self.channel = Channel(lambda: {"version": self._version})
        self.api = LadderApi(store, self._has_looked, now)

    def application(self, oracle: Oracle, more: Sequence[BaseRoute] = ()) -> Starlette:
        """Return the application; figures of boards are computed by the oracle."""
        return Starlette(
            routes=[
                Route("/", self.leaderboard),
                Route("/status", self.status),
                Route("/figures", self.figures),
                *player_routes(self.answer_with),
                BoardFiles(self._store, lambda: self._board, self._has_looked).route(),
                Badges(lambda: self._board).route(),
                Route("/changes", self.changes),
                *list_routes(self.answer_with),
                Mount("/matches", app=OpenedPages(partial(self._match, oracle=oracle))),
                *more,
                self.api.route(),
                static_route(),
            ],
            exception_handlers={HTTPException: refused},
        )

    @property
    def board(self) -> LadderBoard | None:
        """The leaderboard; None as long as nothing could be read."""
        return self._board

    async def leaderboard(self, request: Request) -> Response:
        """Answer with the leaderboard."""
        return await self._page(request, "ladder")

    async def status(self, request: Request) -> Response:
        """Answer with the state of the ladder."""
        return await self._page(request, "status")

    async def figures(self, request: Request) -> Response:
        """Answer with how figures are made."""
        return await self._page(request, "figures")

    async def answer_with(self, request: Request, key: Hashable, make: Make) -> Response:
        """Answer with a page that is made when somebody asks; its key tells it from all others."""
        await self._has_looked.wait()
        try:
            page = await self._kept_pages.page(key, partial(self._made, make))
        except (StoreError, OSError):
            raise unreadable() from None
        except asyncio.QueueFull:
            raise HTTPException(503, headers={"retry-after": "5"}) from None
        if page is None:
            raise HTTPException(404)
        return page.answer(request)

    async def changes(self, request: Request) -> Response:
        """Answer with the changes of the pages."""
        if request.scope["http_version"] != "1.1":
            raise HTTPException(505, "HTTP/1.1 is needed")
        return Stream(self.channel)

    async def follow(self) -> None:
        """Make the pages again whenever the ladder has changed, without end."""
        while True:
            began = time.perf_counter()
            try:
                is_new = await asyncio.to_thread(self._look)
            except (StoreError, OSError):
                is_new = False  # the pages stay as they are until the store answers
            finally:
                self._has_looked.set()
            if is_new:
                self._kept_pages.note_change()
                await self.api.note_change()
                self._version += 1
                self.channel.change({"version": self._version})
            await asyncio.sleep(max(LOOK_SECONDS, REST * (time.perf_counter() - began)))

    # Private methods.

    def _look(self) -> bool:
        """Make the pages if the ladder has changed; return whether it has."""
        state = state_of(self._store)
        if is_new := self._board is None or self._changes is None or state != self._state:
            board = leaderboard(self._store)
            changes = changes_since(self._store, board, state.since)
            self.api.look(Known(self._store, board, state.begun, state.is_played))
        else:
            board, changes = self._board, self._changes
        if is_new or self._now() >= self._scored + SCORE_SECONDS:
            self._scored = self._now()
            scores = self._scores_so_far.look(state.begun)
            if is_new or scores != self._scores:
                pages = pages_of(state, board, changes, scores)
                self._pages = {name: _page_of(page) for name, page in pages.items()}
                self._state, self._board, self._changes = state, board, changes
                self._scores = scores
                return True
        return False

    async def _page(self, request: Request, name: str) -> Response:
        await self._has_looked.wait()
        if name not in self._pages:
            raise unreadable()
        return self._pages[name].answer(request)

    async def _made(self, make: Make) -> Page | None:
        """Return a page that is asked for; None if there is none. Raises StoreError and OSError."""
        if self._board is None:
            raise StoreError("nothing could be read yet")
        page = await asyncio.to_thread(make, self._store, self._board)
        return None if page is None else _page_of(page)

    def _match(self, number: str, oracle: Oracle) -> ASGIApp:
        """Return the pages of a match. Raises HTTPException unless it is over."""
        if not NUMBER.fullmatch(number):
            raise HTTPException(404)
        try:
            results = self._store.archive.results(int(number))
            replays = [] if results is None else list(replays_of_events([results]))
            match = self._store.archive.ended(int(number))
        except (StoreError, ValueError):
            raise HTTPException(404) from None
        if results is None or match is None:
            raise HTTPException(404, "No match of this number is over.\n")
        title = title_of_match(match, [entrant.name for entrant in results.event.entries])
        library = Library(replace(replay, title=title) for replay in replays)
        ups = Link(href="../../", text="Leaderboard"), Link(href="../", text="All matches")
        note = f"{minute(match.ended)} UTC"
        return Viewing(library, title, Figures(oracle), ups=ups, note=note).application(number)


@asynccontextmanager
async def serving_ladder(
    pages: LadderPages,
    store: LadderStore,
    listener: socket.socket,
    address: str,
    hidden: Sequence[Path] = (),
    doors: Sequence[BaseRoute] = (),
) -> AsyncIterator[None]:
    """Answer requests while the context is entered.

    Args:
        pages: The pages.
        store: The store of the ladder.
        listener: The socket that listens.
        address: The address for browsers.
        hidden: Paths that no bot in a sandbox may see.
        doors: The routes of those who give orders, and of authors.
    """
    with Oracle(workers=1, background=True) as oracle:
        tables = OpenTables(store, oracle, Venues(hidden), address)
        visitors = Visitors(secure=address.startswith("https:"))
        people, today = (
            PeoplePages(tables, visitors, lambda: pages.board),
            TodayPages(tables, visitors),
        )
        feed = Feed(store, lambda: pages.board, address)
        more = [*people.routes(), *today.routes(), feed.route(), *doors]
        application = pages.application(oracle, more)
        hosts, streams = hosts_at(listener, address), [pages.channel, pages.api.results]
        # If one of these fails, the pages would stay as they are: the error ends the context.
        async with (
            asyncio.TaskGroup() as group,
            serving(application, listener, hosts, lambda: streams),
        ):
            following = [group.create_task(one.follow()) for one in (pages, today)]
            try:
                yield
            finally:
                for task in following:
                    task.cancel()
                await asyncio.wait(following)
                await tables.close()


def _page_of(text: str) -> Page:
    return Page(text.encode(), "text/html; charset=utf-8")
