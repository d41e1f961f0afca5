"""The board of the day: everybody plays the same sealed board, once.

/today/                  play it; who has played sees the own result alone, until midnight UTC
/today/2026-11-28/       the results of a day that is over, against the mean of the bots
/today/2026-11-28/N      the board as it was played at the table of place N, and by the bots
/today/2026-11-28.pbn    the proof of its deal

Before a day is over nothing of its results is told to anybody but who made them.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from contextlib import suppress
from datetime import date, timedelta
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bridge_arena.bridge.seats import Side
from bridge_arena.tournaments import StoreError
from bridge_arena.tournaments.ladder.board_of_the_day import (
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
from bridge_arena.web.ladder.field import FieldRow, field_row, replay
from bridge_arena.web.ladder.open_tables import (
    LONGEST_NAME,
    OpenTables,
    RefusedError,
    Visitors,
    origin_of,
    person_name,
)
from bridge_arena.web.ladder.pages import ladder_page
from bridge_arena.web.ladder.people import most_tables, reading, template
from bridge_arena.web.ladder.people_table import Guest, Terms

MOST_A_DAY = MOST_OF_DEAL - MOST_BOTS
"""The most people who play the board of a day."""

OF_ADDRESS = 5
"""The most of them at one address."""

LOOK_SECONDS = 600.0
"""The seconds between two looks whether a day has begun: its board is drawn the day before."""

SOON_SECONDS = 20.0
"""The seconds between two looks as long as no bot is there that could play it."""

_KEPT_DAYS = 8
"""The days whose boards and results are kept ready."""

_DAY = re.compile("20[0-9]{2}-[01][0-9]-[0-3][0-9]")
_PLACE = re.compile("[1-9][0-9]{0,3}")


class TodayPages:
    """The pages of the board of the day."""

    def __init__(self, tables: OpenTables, visitors: Visitors) -> None:
        self._tables = tables
        self._store = tables.store
        self._visitors = visitors
        # The last day whose board the bots have played; None before the first.
        self._played: date | None = None
        # The boards of days that were asked for last.
        self._days: dict[date, DailyBoard] = {}
        # How many have begun the board of a day at each address, since this process began.
        self._begun: Counter[tuple[date, str]] = Counter()
        # The results of days that are over.
        self._results = KeptPages[tuple[DailyBoard, DayResults] | None](_KEPT_DAYS)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/today/", self.today, methods=["GET"]),
            Route("/today/", self.play, methods=["POST"]),
            Route("/today/{day}.pbn", self.proof),
            Route("/today/{day}/", self.day),
            Route("/today/{day}/{place}", self.replay),
        ]

    async def follow(self) -> None:
        """Draw the boards of today and tomorrow, and have the bots play that of today, always."""
        while True:
            is_drawn = False
            with suppress(StoreError, OSError):  # it is tried again
                is_drawn = await self._draw()
            await asyncio.sleep(LOOK_SECONDS if is_drawn else SOON_SECONDS)

    async def _draw(self) -> bool:
        """Return whether the board of today is there."""
        today = self._tables.today()
        drawn = await asyncio.to_thread(draw_day, self._store, today)
        await asyncio.to_thread(draw_day, self._store, today + timedelta(1))
        if drawn is not None and today != self._played:
            await play_field(self._store, drawn, self._tables.venues)
            self._played = today
        return drawn is not None

    async def today(self, request: Request) -> Response:
        """Answer with the form by which the board is played, or with the own result."""
        return await self._page(self._visitors.known(request))

    async def _page(self, visitor: str | None, problem: RefusedError | None = None) -> Response:
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
            return await self._page(visitor, error)
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
        one.table.take(request, answer, SEAT, Guest(name, visitor))
        self._tables.begin(one, [deal])
        return answer

    def _name(self, text: str, day: str) -> str:
        """Return a name that is no player's and nobody's who plays a board. Raises RefusedError."""
        players = {player.name for player in self._store.players().values()}
        return person_name(text, players | self._store.people.names(day))

    # Days that are over.

    async def day(self, request: Request) -> Response:
        """Answer with the results of a day that is over."""
        drawn, results = await self._over(request)
        visitor = self._visitors.known(request)
        rows = [
            field_row(
                one.board.name,
                one.record,
                results.datum,
                SEAT.side,
                is_own=one.board.person == visitor,
                href=str(place),
                note="bot" if one.is_bot else f"rank {rank}",
            )
            for place, (rank, one) in enumerate(
                zip(_ranks(results), results.results, strict=True), 1
            )
        ]
        before = drawn.day - timedelta(1)
        return HTMLResponse(
            ladder_page(
                "day.html",
                f"The board of {drawn.day}",
                home="../../",
                is_live=True,
                drawn=drawn,
                datum=results.datum,
                rows=rows,
                before=before if await self._drawn(before) else None,
            )
        )

    async def replay(self, request: Request) -> Response:
        """Answer with the board as it was played at a table, and by the bots."""
        drawn, results = await self._over(request)
        place = request.path_params["place"]
        if not _PLACE.fullmatch(place) or int(place) > len(results.results):
            raise HTTPException(404)
        chosen = results.results[int(place) - 1]
        bots = [one for one in results.results if one.is_bot and one is not chosen]
        tables = [(one.board.name, one.record) for one in (chosen, *bots)]
        return HTMLResponse(replay(f"The board of {drawn.day}", tables, "../../static/"))

    async def proof(self, request: Request) -> Response:
        """Answer with the deal, its commitment and its key."""
        drawn, results = await self._over(request)
        record = results.results[0].record if results.results else None
        text = await asyncio.to_thread(drawn.pbn, record)
        return Response(text.encode("latin-1", "replace"), media_type="application/vnd.pbn")

    async def _over(self, request: Request) -> tuple[DailyBoard, DayResults]:
        """Return the results of a day. Raises HTTPException unless it is over."""
        try:
            text = request.path_params["day"]
            day = date.fromisoformat(text if _DAY.fullmatch(text) else "")
        except ValueError:
            raise HTTPException(404) from None
        if day >= self._tables.today():
            raise HTTPException(404, "This day is not over.\n")
        try:
            known = await self._results.page(
                day, partial(reading, _results, self._store.people, day)
            )
        except asyncio.QueueFull:
            raise HTTPException(503, headers={"retry-after": "5"}) from None
        if known is None:
            raise HTTPException(404)
        return known


def _results(store: PeopleStore, day: date) -> tuple[DailyBoard, DayResults] | None:
    drawn = day_of(store, day)
    return None if drawn is None else (drawn, results_of(store, drawn))


def _ranks(results: DayResults) -> list[str]:
    """Return the ranks of people, by their points; those of bots are empty."""
    people = [one.board.score for one in results.results if not one.is_bot]
    return ["" if one.is_bot else str(1 + people.index(one.board.score)) for one in results.results]
