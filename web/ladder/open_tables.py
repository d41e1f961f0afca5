"""The tables of a ladder at which people play, and who comes there.

Tables are bounded in number, in rate, and for each address. A browser is known again by a cookie,
so that nobody is dealt a board twice.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from ipaddress import ip_address

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from bridge_arena.oracle.pool import Oracle
from bridge_arena.server.connection_limits import origin
from bridge_arena.tournaments.ladder.people_tables import Deal, Venues
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.web.common.rate_limit import address_of_client
from bridge_arena.web.common.serving import static_route
from bridge_arena.web.ladder.people_table import PeopleTable, Stage, TableServices, Terms

LONGEST_NAME = 30
"""The most letters of a person's name."""

WAITING_SECONDS = 600.0
"""The seconds after which a table closes that nobody has begun."""

KEPT = 50
"""The most tables that are kept when they are over."""

OF_ADDRESS = 2
"""The tables that one address may have open."""

A_MINUTE = 12
"""The most tables that are opened in a minute."""

_COOKIE = re.compile("[A-Za-z0-9_-]{32}")
_YEAR = 365 * 24 * 3600


class RefusedError(Exception):
    """A table cannot be opened, or a seat not taken; the message is a sentence for the person."""

    def __init__(self, why: str, status: int) -> None:
        super().__init__(why)
        self.status = status


class Visitors:
    """The browsers of people, each known again by its cookie, of which only hashes are kept."""

    def __init__(self, *, secure: bool) -> None:
        self._secure = secure

    def known(self, request: HTTPConnection) -> str | None:
        """Return the hash of the cookie of a browser; None if it has none."""
        shown = request.cookies.get(self._name(request), "")
        return _hashed(shown) if _COOKIE.fullmatch(shown) else None

    def welcome(self, request: Request) -> tuple[str, Callable[[Response], None]]:
        """Return the hash of a browser's cookie, and what adds the cookie to an answer."""
        if (known := self.known(request)) is not None:
            return known, lambda _: None
        shown = secrets.token_urlsafe(24)

        def give(answer: Response) -> None:
            answer.set_cookie(
                self._name(request),
                shown,
                max_age=_YEAR,
                path="/",
                secure=self._secure,
                httponly=True,
                samesite="strict",
            )

        return _hashed(shown), give

    def _name(self, request: HTTPConnection) -> str:
        """Return the name of the cookie, with the port, as browsers share them between ports."""
        return f"arena-visitor-{request.url.port or 0}"


@dataclass(slots=True)
class OpenTable:
    """A table, with when and from where it was opened."""

    table: PeopleTable
    origin: str  # the address that it counts for; "" for none
    opened: float  # when, in seconds
    playing: asyncio.Task[None] | None = None  # None before it begins


class OpenTables:
    """The tables of a ladder at which people play, bounded in number and rate.

    Args:
        store: The store of the ladder.
        oracle: The solver.
        venues: What plays the tables.
        address: The address of the server for browsers.
        now: Returns the time in seconds.
        today: Returns the day in UTC.
    """

    def __init__(
        self,
        store: LadderStore,
        oracle: Oracle,
        venues: Venues,
        address: str,
        now: Callable[[], float] = time.monotonic,
        today: Callable[[], date] = lambda: datetime.now(UTC).date(),
    ) -> None:
        self.store = store
        self.venues = venues
        self.today = today
        self._services = TableServices(store, venues, oracle, static_route(), today)
        self._address = address
        self._now = now
        self._tables: dict[str, OpenTable] = {}  # by their keys, in the order of their opening
        self._opened: deque[float] = deque(maxlen=A_MINUTE)

    def table(self, key: str) -> OpenTable | None:
        """Return the table of a key; None if there is none, or none any more."""
        self._sweep()
        return self._tables.get(key)

    def open(self, terms: Terms, request: Request, most: int) -> OpenTable:
        """Open a table for the browser that asks, unless there are too many. Raises RefusedError.

        Args:
            terms: What is played there.
            request: The request.
            most: The most tables at once.
        """
        self._sweep()
        now, origin_ = self._now(), origin_of(request)
        taken = [one for one in self._tables.values() if one.table.stage is not Stage.OVER]
        if len(taken) >= most:
            raise RefusedError("All tables are taken. Try again in some minutes.", 503)
        if origin_ and sum(one.origin == origin_ for one in taken) >= OF_ADDRESS:
            raise RefusedError(f"Your address has {OF_ADDRESS} tables already.", 429)
        if len(self._opened) == A_MINUTE and now - self._opened[0] < 60:
            raise RefusedError("Too many tables were opened. Try again in a minute.", 429)
        self._opened.append(now)
        key = secrets.token_urlsafe(12)
        table = PeopleTable(key, f"/play/tables/{key}/", terms, self._address)
        self._tables[key] = opened = OpenTable(table, origin_, now)
        return opened

    def begin(self, one: OpenTable, deals: Sequence[Deal]) -> None:
        """Have a table play deals, in a task of its own."""
        one.table.stage = Stage.PLAYING
        one.playing = asyncio.create_task(one.table.play(self._services, deals))

    async def close(self) -> None:
        """Close all tables."""
        playing = [one.playing for one in self._tables.values() if one.playing is not None]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await asyncio.to_thread(self.venues.close)

    def _sweep(self) -> None:
        late = self._now() - WAITING_SECONDS
        gone = [
            key
            for key, one in self._tables.items()
            if one.table.stage is Stage.WAITING and one.opened < late
        ]
        over = [key for key, one in self._tables.items() if one.table.stage is Stage.OVER]
        for key in (*gone, *over[: max(0, len(over) - KEPT)]):
            del self._tables[key]


def origin_of(request: HTTPConnection) -> str:
    """Return the address that a request counts for; "" if it comes from this machine itself."""
    address = address_of_client(request)
    try:
        return "" if ip_address(address).is_loopback else origin(address)
    except ValueError:
        return origin(address)


def person_name(text: str) -> str:
    """Return the name that a person gives, in one line. Raises RefusedError."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise RefusedError(f"Give a name of at most {LONGEST_NAME} letters.", 400)
    return name


def _hashed(shown: str) -> str:
    return sha256(shown.encode()).hexdigest()[:32]
