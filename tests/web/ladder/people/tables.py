"""The pages of people at a ladder on a real server, whose bots are played by nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from http.client import HTTPConnection
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from websockets.asyncio.client import connect

from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import SEATS
from bridge_arena.bridge.seeds import DealSource
from bridge_arena.oracle.pool import Oracle
from bridge_arena.protocol.messages import Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.people.people_tables import Venues
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.tournaments.play.venue import Audience, Keep
from bridge_arena.tournaments.schedule.units import Match
from bridge_arena.web.common.serving import static_route
from bridge_arena.web.ladder.people.open_tables import OpenTables, Visitors
from bridge_arena.web.ladder.people.people import PeoplePages
from bridge_arena.web.ladder.people.refusals import refused
from bridge_arena.web.ladder.people.today import TodayPages
from tests.patience import PATIENCE
from tests.web.live.serving import Answer, served


class IdleVenues(Venues):
    """Awaits the people of a table, and passes its boards out once it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.events: list[Event] = []

    async def play(
        self,
        event: Event,
        deals: Sequence[GivenBoard],
        keep: Keep,
        audience: Audience | None = None,
        secrets: frozenset[str] = frozenset(),
        source: DealSource | None = None,
    ) -> None:
        del secrets, source
        self.events.append(event)
        match = Match(1, 1, (0, 1), tuple(range(1, len(deals) + 1)))
        units = [unit for unit in match.units() if unit.place == "open"]
        if audience is not None:
            audience.opened([])
            for seat in SEATS:
                entry = event.entries[seat.side].party().at(seat)
                if entry.access is Access.HUMAN:
                    place = WebsocketPlayer(Viewer(seat), Welcome(table="1", seat=seat))
                    audience.await_person(EntrySeat(entry, seat, person=f"{seat}"), place)
            await self.go.wait()
        for unit, deal in zip(units, deals, strict=True):
            keep(unit, passed_out(deal))


def passed_out(deal: GivenBoard) -> BoardRecord:
    return BoardRecord(deal.board, ("a", "b", "c", "d"), (MadeCall(PASS),) * 4, score=0)


@dataclass
class Browser:
    """A browser with its cookies, at an address that a proxy tells."""

    port: int
    address: str = ""
    cookies: dict[str, tuple[str, str]] = field(default_factory=dict)  # value and path, by name

    async def get(self, path: str) -> Answer:
        return await self._ask("GET", path, {})

    async def post(self, path: str, origin: str | None = "", **fields: str) -> Answer:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if origin is not None:
            headers["Origin"] = origin or f"http://127.0.0.1:{self.port}"
        return await self._ask("POST", path, headers, urlencode(fields).encode())

    async def _ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None = None
    ) -> Answer:
        shown = "; ".join(
            f"{name}={value}" for name, (value, of) in self.cookies.items() if path.startswith(of)
        )
        headers |= {"Cookie": shown} if shown else {}
        headers |= {"X-Forwarded-For": self.address} if self.address else {}

        def ask() -> tuple[Answer, list[str]]:
            connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            connection.request(method, path, body, headers)
            got = connection.getresponse()
            answer = Answer(got.status, dict(got.headers), got.read().decode())
            connection.close()
            return answer, got.headers.get_all("set-cookie", [])

        answer, cookies = await asyncio.to_thread(ask)
        for cookie in cookies:
            pair, *attributes = cookie.split("; ")
            assert {"HttpOnly", "SameSite=strict"} <= set(attributes)
            name, _, value = pair.partition("=")
            (of,) = [each[5:] for each in attributes if each.startswith("Path=")]
            self.cookies[name] = value, of
        return answer

    def window(self, path: str, seat: str) -> connect:
        """The websocket of the page of a seat at a table."""
        shown = "; ".join(
            f"{name}={value}" for name, (value, of) in self.cookies.items() if path.startswith(of)
        )
        return connect(
            f"ws://127.0.0.1:{self.port}{path}seat/socket/{seat}",
            additional_headers={"Cookie": shown, "Origin": f"http://127.0.0.1:{self.port}"},
            compression=None,
            proxy=None,
            close_timeout=0.1,  # as what it was sent last is not read
        )


@dataclass
class People:
    """The pages of people, in an event loop."""

    port: int
    tables: OpenTables
    venues: IdleVenues
    today: TodayPages

    def browser(self, address: str = "") -> Browser:
        return Browser(self.port, address)


@dataclass
class Calendar:
    """The day, and the seconds, as a test has them."""

    day: date = date(2026, 11, 29)
    seconds: float = 0.0


@asynccontextmanager
async def people_at(
    store: LadderStore, calendar: Calendar, playing: Venues | None = None
) -> AsyncIterator[People]:
    """The pages of people at a ladder, whose tables are played by nobody, or as `playing` does."""
    venues = IdleVenues()
    with Oracle(workers=1, background=True) as oracle:
        tables = OpenTables(
            store,
            oracle,
            playing or venues,
            "http://127.0.0.1/",
            lambda: calendar.seconds,
            lambda: calendar.day,
        )
        visitors = Visitors(secure=False)
        pages, today = PeoplePages(tables, visitors), TodayPages(tables, visitors)
        routes = [*pages.routes(), *today.routes(), static_route()]
        handlers = {HTTPException: refused}
        async with served(Starlette(routes=routes, exception_handlers=handlers), []) as port:
            try:
                yield People(port, tables, venues, today)
            finally:
                await tables.close()
