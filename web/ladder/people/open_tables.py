"""The tables of a ladder at which people play, and who comes there.

Tables are bounded in number, in rate, and for each address. A browser is known again by a cookie,
so that nobody is dealt a board twice.
"""

from __future__ import annotations

import asyncio
import math
import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from ipaddress import ip_address
from unicodedata import category, normalize
from urllib.parse import quote, unquote

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from bridge_arena.oracle.pool import Oracle
from bridge_arena.server.connection_limits import origin
from bridge_arena.tournaments.ladder.authors.newcomers import looks_like
from bridge_arena.tournaments.ladder.people.people_tables import BOARD_SECONDS, Deal, Venues
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.web.common.rate_limit import RateLimit, address_of_client
from bridge_arena.web.common.serving import static_route
from bridge_arena.web.ladder.people.people_table import PeopleTable, Stage, TableServices, Terms

LONGEST_NAME = 30
"""The most letters of a person's name."""

WAITING_SECONDS = 600.0
"""The seconds after which a table closes that nobody has begun."""

KEPT = 50
"""The most tables that are kept when they are over."""

OF_ADDRESS = 2
"""The tables that one address may have open, if that is no more than half of all."""

TABLES_AT_ONCE, TABLES_A_MINUTE = 3, 2
"""How often one address may ask for a table at once, and in each minute after that."""

A_MINUTE = 12
"""The most tables that begin in a minute."""

_MARKS = 2
"""The most combining marks on a letter of a name."""

# Letters and marks that show nothing.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
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

    def name(self, request: HTTPConnection) -> str:
        """Return the name that a browser gave last; "" if it gave none."""
        return unquote(request.cookies.get(self._cookie(request, "name"), ""))[:LONGEST_NAME]

    def remember(self, request: Request, answer: Response, name: str) -> None:
        """Have a browser keep the name that it gave."""
        self._give(request, answer, "name", quote(name))

    def known(self, request: HTTPConnection) -> str | None:
        """Return the hash of the cookie of a browser; None if it has none."""
        shown = request.cookies.get(self._cookie(request, "visitor"), "")
        return _hashed(shown) if _COOKIE.fullmatch(shown) else None

    def welcome(self, request: Request) -> tuple[str, Callable[[Response], None]]:
        """Return the hash of a browser's cookie, and what adds the cookie to an answer."""
        if (known := self.known(request)) is not None:
            return known, lambda _: None
        shown = secrets.token_urlsafe(24)

        def give(answer: Response) -> None:
            self._give(request, answer, "visitor", shown)

        return _hashed(shown), give

    def _give(self, request: Request, answer: Response, what: str, value: str) -> None:
        answer.set_cookie(
            self._cookie(request, what),
            value,
            max_age=_YEAR,
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="strict",
        )

    def _cookie(self, request: HTTPConnection, what: str) -> str:
        """Return the name of a cookie, with the port, as browsers share them between ports."""
        return f"arena-{what}-{request.url.port or 0}"


@dataclass(slots=True)
class OpenTable:
    """A table, with when and from where it was opened."""

    table: PeopleTable
    origin: str  # the address that it counts for; "" for none
    until: float  # when it closes at the latest, in seconds
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
        self._limit = RateLimit(TABLES_A_MINUTE / 60, TABLES_AT_ONCE, now)
        self._begun: deque[float] = deque(maxlen=A_MINUTE)  # when the last ones have begun

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
        if origin_ and (wait := self._limit.admit(origin_)):
            raise RefusedError(f"Your address asks too often. Try again {_in_minutes(wait)}.", 429)
        taken = [one for one in self._tables.values() if one.table.stage is not Stage.OVER]
        if len(taken) >= most:
            free = _in_minutes(min((one.until for one in taken), default=now) - now)
            raise RefusedError(f"All tables are taken. One is free {free} at the latest.", 503)
        own = min(OF_ADDRESS, max(1, most // 2))
        if origin_ and sum(one.origin == origin_ for one in taken) >= own:
            why = f"Your address has {'a table' if own == 1 else f'{own} tables'} already."
            raise RefusedError(why, 429)
        if len(self._begun) == A_MINUTE and now - self._begun[0] < 60:
            raise RefusedError("Too many tables have begun. Try again in a minute.", 429)
        key = secrets.token_urlsafe(12)
        table = PeopleTable(key, f"/play/tables/{key}/", terms, self._address)
        self._tables[key] = opened = OpenTable(table, origin_, now + WAITING_SECONDS)
        return opened

    def begin(self, one: OpenTable, deals: Sequence[Deal]) -> None:
        """Have a table play deals, in a task of its own."""
        one.table.stage = Stage.PLAYING
        self._begun.append(self._now())
        one.until = self._now() + BOARD_SECONDS * len(deals)
        one.playing = asyncio.create_task(one.table.play(self._services, deals))

    def closes(self, one: OpenTable) -> str:
        """Return when a table closes at the latest, as "in 5 minutes"."""
        return _in_minutes(one.until - self._now())

    async def leave(self, one: OpenTable) -> None:
        """Close a table that all people have left."""
        one.table.close("Everybody has left.")
        if one.playing is not None:
            one.playing.cancel()
            await asyncio.wait([one.playing])

    async def close(self) -> None:
        """Close all tables."""
        playing = [one.playing for one in self._tables.values() if one.playing is not None]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await asyncio.to_thread(self.venues.close)

    def _sweep(self) -> None:
        now = self._now()
        gone = [
            key
            for key, one in self._tables.items()
            if one.table.stage is Stage.WAITING and one.until < now
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


def person_name(text: str, others: Iterable[str] = ()) -> str:
    """Return the name that a person gives, in one line. Raises RefusedError.

    Args:
        text: What the person gives.
        others: The names for which nobody may take it.
    """
    name = " ".join(_BLANK.sub("", normalize("NFKC", text)).split())
    if len(name) > LONGEST_NAME or not name.isprintable() or not any(map(str.isalnum, name)):
        raise RefusedError(f"Give a name of at most {LONGEST_NAME} letters.", 400)
    marks = "".join("m" if category(letter).startswith("M") else "." for letter in name)
    if "m" * (_MARKS + 1) in marks:
        raise RefusedError("Give a name without so many marks on a letter.", 400)
    if looks_like(name, others) is not None:
        raise RefusedError("Somebody has this name here.", 409)
    return name


def _in_minutes(seconds: float) -> str:
    minutes = max(1, math.ceil(seconds / 60))
    return f"in {minutes} minute{'s' if minutes > 1 else ''}"


def _hashed(shown: str) -> str:
    return sha256(shown.encode()).hexdigest()[:32]
