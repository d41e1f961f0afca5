"""The board of the day: everybody plays the same sealed board, once.

/today/                  play it; who has played sees the own result alone, until midnight UTC
/today/own               the replay of the own table
/today/2026-11-28/       the results of a day that is over, against the mean of the bots: `?page=2`
/today/2026-11-28/N      the board as it was played at the table of place N, and by the bots
/today/2026-11-28.pbn    the proof of its deal

Before a day is over nothing of its results is told to anybody but who made them.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bridge_arena.bridge.seats import Side
from bridge_arena.tournaments import StoreError
from bridge_arena.tournaments.ladder.matches import FAILURES
from bridge_arena.tournaments.ladder.people.board_of_the_day import (
    MOST_BOTS,
    SEAT,
    DailyBoard,
    DayResults,
    day_of,
    draw_day,
    play_field,
    results_of,
)
from bridge_arena.tournaments.ladder.store.people_store import MOST_OF_DEAL, PeopleStore
from bridge_arena.web.common.doors import form_page
from bridge_arena.web.common.forms import form_fields
from bridge_arena.web.common.kept_pages import KeptPages
from bridge_arena.web.common.pages import page_of
from bridge_arena.web.common.serving import Page
from bridge_arena.web.ladder.pages import ladder_page
from bridge_arena.web.ladder.people.field import FieldRow, field_row, replay
from bridge_arena.web.ladder.people.open_tables import (
    LONGEST_NAME,
    OpenTables,
    RefusedError,
    Visitors,
    origin_of,
    person_name,
)
from bridge_arena.web.ladder.people.people import most_tables, template
from bridge_arena.web.ladder.people.people_table import Guest, Terms
from bridge_arena.web.ladder.reading import reading

_FOLDER = Path(__file__).parent

MOST_A_DAY = MOST_OF_DEAL - MOST_BOTS
"""The most people who play the board of a day."""

OF_ADDRESS = 5
"""The most of them at one address."""

LOOK_SECONDS = 600.0
"""The seconds between two looks whether a day has begun: its board is drawn the day before."""

SOON_SECONDS = 20.0
"""The seconds between two looks as long as no bot is there that could play it."""

MOST_TRIES = 2
"""How often bots that did not finish the board are asked to play it."""

ON_PAGE = 100
"""The most results on a page."""

_KEPT_DAYS, _KEPT_PAGES = 8, 64
"""The days whose boards and results are kept ready, and their pages and replays."""

_OWN = "<!-- own -->"
"""Where the page of a day has the reader's own result."""

_DAY = re.compile("20[0-9]{2}-[01][0-9]-[0-3][0-9]")
_PLACE = re.compile("[1-9][0-9]{0,3}")


@dataclass(frozen=True, slots=True)
class _EndedDay:
    """A day that is over."""

    drawn: DailyBoard
    results: DayResults
    ranks: Mapping[int, int]  # of people, by what these come from
    places: Mapping[str, int]  # in the results, by who has played

    @classmethod
    def read(cls, store: PeopleStore, day: date) -> _EndedDay | None:
        """Read a day; None if no board was drawn. Raises StoreError."""
        drawn = day_of(store, day)
        if drawn is None:
            return None
        results = results_of(store, drawn)
        ranks: dict[int, int] = {}
        people = [one for one in results.results if not one.is_bot]
        for rank, one in enumerate(people, 1):
            ranks.setdefault(one.rank_by, rank)
        places = {one.board.person: place for place, one in enumerate(results.results, 1)}
        return cls(drawn, results, ranks, places)

    def row(self, place: int, *, is_own: bool = False) -> FieldRow:
        """Return the row of a place in the results."""
        one = self.results.results[place - 1]
        return field_row(
            one.board.name,
            one.record,
            self.results.datum,
            SEAT.side,
            is_own=is_own,
            href=str(place),
            note="bot" if one.is_bot else f"rank {self.ranks[one.rank_by]}",
        )

    def page(self, number: int, store: PeopleStore) -> str:
        """Return a page of the results. Raises StoreError."""
        first, last = 1 + (number - 1) * ON_PAGE, min(number * ON_PAGE, len(self.places))
        before = self.drawn.day - timedelta(1)
        return ladder_page(
            _FOLDER / "day.html",
            f"The board of {self.drawn.day}",
            home="../../",
            is_live=True,
            drawn=self.drawn,
            datum=self.results.datum,
            rows=[self.row(place) for place in range(first, last + 1)],
            number=number,
            pages=self.pages,
            own_place=Markup(_OWN),
            before=None if store.day(str(before)) is None else before,
        )

    @property
    def pages(self) -> int:
        """The number of pages of the results."""
        return max(1, math.ceil(len(self.places) / ON_PAGE))

    def replay(self, place: int) -> str:
        """Return the board as it was played at a place, and by the bots."""
        chosen = self.results.results[place - 1]
        bots = [one for one in self.results.results if one.is_bot and one is not chosen]
        tables = [(one.board.name, one.record) for one in (chosen, *bots)]
        return replay(f"The board of {self.drawn.day}", tables, "../../", ("./", "Results"))

    def proof(self) -> str:
        """Return the deal, its commitment and its key as a PBN file."""
        results = self.results.results
        return self.drawn.pbn(results[0].record if results else None)


@dataclass(frozen=True, slots=True)
class _KeptPage:
    text: str
    page: Page

    @classmethod
    def of(cls, make: Callable[[], str], media_type: str, coding: str) -> _KeptPage:
        """Make a page, which takes long."""
        text = make()
        return cls(text, Page(text.encode(coding, "replace"), media_type))


class TodayPages:
    """The pages of the board of the day."""

    def __init__(self, tables: OpenTables, visitors: Visitors) -> None:
        self._tables = tables
        self._store = tables.store
        self._visitors = visitors
        # How often the bots were asked to play the board of the last day.
        self._tries: Counter[date] = Counter()
        # The boards of days that were asked for last.
        self._days: dict[date, DailyBoard] = {}
        # How many have begun the board of a day at each address, since this process began.
        self._begun: Counter[tuple[date, str]] = Counter()
        # The first day whose board was drawn; None before it is known.
        self._first: date | None = None
        # Days that are over, and what is shown of them.
        self._ended = KeptPages[_EndedDay](_KEPT_DAYS)
        self._pages = KeptPages[_KeptPage](_KEPT_PAGES)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/today/", self.today, methods=["GET"]),
            Route("/today/", self.play, methods=["POST"]),
            Route("/today/own", self.own),
            Route("/today/{day}.pbn", self.proof),
            Route("/today/{day}/", self.day),
            Route("/today/{day}/{place}", self.replay),
        ]

    async def follow(self) -> None:
        """Draw the boards of today and tomorrow, and have the bots play that of today, always."""
        while True:
            is_drawn = False
            # It is tried again. Whatever is wrong with a board, all other pages stay.
            with suppress(StoreError, OSError, ValueError, *FAILURES):
                is_drawn = await self._draw()
            await asyncio.sleep(LOOK_SECONDS if is_drawn else SOON_SECONDS)

    async def _draw(self) -> bool:
        """Return whether the board of today is there."""
        today = self._tables.today()
        drawn = await asyncio.to_thread(draw_day, self._store, today)
        await asyncio.to_thread(draw_day, self._store, today + timedelta(1))
        if drawn is not None and self._tries[today] < MOST_TRIES:
            self._tries = Counter({today: self._tries[today] + 1})
            is_open = partial(self._is_today, today)
            if await play_field(self._store, drawn, self._tables.venues, is_open):
                self._tries[today] = MOST_TRIES
        return drawn is not None

    def _is_today(self, day: date) -> bool:
        return day == self._tables.today()

    async def today(self, request: Request) -> Response:
        """Answer with the form by which the board is played, or with the own result."""
        return await self._page(request, self._visitors.known(request))

    async def _page(
        self, request: Request, visitor: str | None, problem: RefusedError | None = None
    ) -> Response:
        today = self._tables.today()
        drawn, tomorrow, yesterday = [
            await self._drawn(today + timedelta(days)) for days in (0, 1, -1)
        ]
        own = None
        if visitor is not None and drawn is not None:
            boards = await reading(self._store.people.of_deal, str(today), visitor)
            own = boards[0] if boards else None
        row: FieldRow | None = None
        if own is not None and own.record is not None:
            row = field_row(own.name, own.record, None, SEAT.side, is_own=True)
        return form_page(
            template("today.html"),
            200 if problem is None else problem.status,
            title="The board of the day",
            static="../static/",
            home="../",
            is_live=True,
            today=today,
            drawn=drawn,
            tomorrow=tomorrow,
            yesterday=yesterday,
            own=own,
            row=row,
            name=self._visitors.name(request),
            longest=LONGEST_NAME,
            problem="" if problem is None else str(problem),
        )

    async def _drawn(self, day: date) -> DailyBoard | None:
        """Return the board of a day, which never changes; None if none was drawn."""
        if day not in self._days:
            drawn = await reading(day_of, self._store.people, day)
            if drawn is None:
                return None
            self._days[day] = drawn
            if len(self._days) > _KEPT_DAYS:
                del self._days[next(iter(self._days))]
        return self._days[day]

    async def play(self, request: Request) -> Response:
        """Begin to play the board, once for each browser."""
        given = await form_fields(request)
        visitor, give = self._visitors.welcome(request)
        try:
            answer = await self._begin(request, given.get("name", ""), visitor)
        except RefusedError as error:
            return await self._page(request, visitor, error)
        give(answer)
        return answer

    async def _begin(self, request: Request, given: str, visitor: str) -> Response:
        """Open the table of a person, and play. Raises RefusedError."""
        today = self._tables.today()
        definition = await reading(self._store.definition)
        most = most_tables(definition)
        drawn = await self._drawn(today)
        if drawn is None:
            raise RefusedError("The board of today is not there yet.", 503)
        name = await reading(self._name, given, str(today))
        origin = origin_of(request)
        if origin and self._begun[today, origin] >= OF_ADDRESS:
            raise RefusedError("Too many people play it at your address.", 429)
        names = dict.fromkeys(Side, drawn.bot)
        deal = drawn.deal
        terms = Terms(deal.title, 1, names, lambda _: drawn.event, day=today)
        one = self._tables.open(terms, request, most)
        why = "You have begun this board before, or too many play it."
        is_new = False
        try:
            is_new = await reading(
                self._store.people.begin, deal.name, visitor, name, SEAT, MOST_A_DAY
            )
        finally:
            if not is_new:
                one.table.close(why)
        if not is_new:
            raise RefusedError(why, 409)
        if any(day != today for day, _ in self._begun):
            self._begun.clear()
        self._begun[today, origin] += 1
        answer = RedirectResponse(f"../play/tables/{one.table.key}/", status_code=303)
        self._visitors.remember(request, answer, name)
        one.table.take(request, answer, SEAT, Guest(name, visitor))
        self._tables.begin(one, [deal])
        return answer

    def _name(self, text: str, day: str) -> str:
        """Return a name that is no player's and nobody's who plays a board. Raises RefusedError."""
        players = {player.name for player in self._store.players().values()}
        return person_name(text, players | self._store.people.names(day))

    # Days that are over.

    async def own(self, request: Request) -> Response:
        """Answer with the board of today as the browser that asks has played it."""
        today, visitor = self._tables.today(), self._visitors.known(request)
        boards = []
        if visitor is not None:
            boards = await reading(self._store.people.of_deal, str(today), visitor)
        played = [(board.name, board.record) for board in boards if board.record is not None]
        if not played:
            raise HTTPException(404)
        title = f"The board of {today}"
        text = await asyncio.to_thread(replay, title, played, "../", ("./", str(today)))
        return HTMLResponse(text)

    async def day(self, request: Request) -> Response:
        """Answer with the results of a day that is over."""
        ended = await self._over(request)
        text = request.query_params.get("page", "1")
        if not _PLACE.fullmatch(text) or (number := int(text)) > ended.pages:
            raise HTTPException(404)
        make = partial(ended.page, number, self._store.people)
        kept = await self._made((ended.drawn.day, "page", number), make)
        place = ended.places.get(self._visitors.known(request) or "")
        if place is None:
            return kept.page.answer(request)
        row = ended.row(place, is_own=True)
        return HTMLResponse(kept.text.replace(_OWN, page_of(template("own_result.html"), row=row)))

    async def replay(self, request: Request) -> Response:
        """Answer with the board as it was played at a table, and by the bots."""
        ended = await self._over(request)
        place = request.path_params["place"]
        if not _PLACE.fullmatch(place) or int(place) > len(ended.places):
            raise HTTPException(404)
        make = partial(ended.replay, int(place))
        return (await self._made((ended.drawn.day, "replay", place), make)).page.answer(request)

    async def proof(self, request: Request) -> Response:
        """Answer with the deal, its commitment and its key."""
        ended = await self._over(request)
        key, media_type = (ended.drawn.day, "proof"), "application/vnd.pbn"
        return (await self._made(key, ended.proof, media_type, "latin-1")).page.answer(request)

    async def _over(self, request: Request) -> _EndedDay:
        """Return a day. Raises HTTPException unless it is over, and a board was drawn for it."""
        try:
            text = request.path_params["day"]
            day = date.fromisoformat(text if _DAY.fullmatch(text) else "")
        except ValueError:
            raise HTTPException(404) from None
        if day >= self._tables.today():
            raise HTTPException(404, "This day is not over.")
        if self._first is None:
            first = await reading(self._store.people.first_day)
            self._first = None if first is None else date.fromisoformat(first)
        if self._first is None or day < self._first:
            raise HTTPException(404)

        async def read() -> _EndedDay:
            if (ended := await reading(_EndedDay.read, self._store.people, day)) is None:
                raise HTTPException(404)  # so that it is not kept
            return ended

        try:
            return await self._ended.page(day, read)
        except asyncio.QueueFull:
            raise HTTPException(503, headers={"retry-after": "5"}) from None

    async def _made(
        self,
        key: Hashable,
        make: Callable[[], str],
        media_type: str = "text/html; charset=utf-8",
        coding: str = "utf-8",
    ) -> _KeptPage:
        """Return a page of a day that is over, which is made in a thread unless it is kept."""
        of_page = partial(reading, _KeptPage.of, make, media_type, coding)
        try:
            return await self._pages.page(key, of_page)
        except asyncio.QueueFull:
            raise HTTPException(503, headers={"retry-after": "5"}) from None
