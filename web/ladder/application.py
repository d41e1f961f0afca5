"""The pages of a ladder, as a Starlette application.

/                  the leaderboard, the matches in play and the latest ones
/players/N/        a player: its versions, opponents and matches
/status            whether all is well, and where tests stand
/changes           the number of their state, and of each that follows, as server-sent events
/matches/N/        the boards of a match that is over
/api/v1/orders     orders by an administrator: JSON by POST, with the token as `Bearer`
/static/FILE       scripts and styles

The pages are made once for each state of the ladder, and never for a reader. Those of players are
made when somebody asks, one at a time.
"""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments import EventLog, StoreError
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, leaderboard
from bridge_arena.tournaments.ladder.orders import ORDER, Order, ShowStatus
from bridge_arena.tournaments.ladder.players import LadderError
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.web.board.document import Link
from bridge_arena.web.common.doors import body_of
from bridge_arena.web.common.kept_pages import KeptPages
from bridge_arena.web.common.serving import Packed, hosts_at, serving, static_route
from bridge_arena.web.common.streams import Channel, Stream
from bridge_arena.web.ladder.pages import State, pages_of, player_page, state_of
from bridge_arena.web.live.past import OpenedPages
from bridge_arena.web.replays.of_events import replays_of_events
from bridge_arena.web.viewing.application import Library, Viewing
from bridge_arena.web.viewing.on_demand import Figures

LOOK_SECONDS = 1.0
"""The least seconds between two looks at the ladder. It is more if making the pages takes long, so
that it takes no more than a twentieth of the time."""

LONGEST_ORDER = 8192
"""The most bytes of an order."""

MOST_ORDERS = 60
"""The most orders in a minute."""

KEPT_PAGES = 256
"""The most pages of players that are kept."""

_NUMBER = re.compile("[1-9][0-9]{0,8}")

CarryOut = Callable[[Order], Awaitable[str]]
"""Carries out an order, and returns what was done. Raises LadderError, StoreError and OSError."""


class LadderPages:
    """The pages of a ladder, for one event loop.

    Args:
        store: The store of the ladder.
        carry_out: Carries out the orders of an administrator.
        is_administrator: Returns whether a token is the administrator's.
        log: The log, which has every order with what came of it.
        now: Returns the time in seconds.
    """

    def __init__(
        self,
        store: LadderStore,
        carry_out: CarryOut,
        is_administrator: Callable[[str], bool],
        log: EventLog,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._carry_out = carry_out
        self._is_administrator = is_administrator
        self._log = log
        self._now = now
        self._version = 0
        self._state: State | None = None
        # The pages by name, with their hashes; none before the first look.
        self._pages: dict[str, tuple[Packed, str]] = {}
        self._has_looked = asyncio.Event()
        self._board: LadderBoard | None = None
        # By the player's number and the match below which its matches begin. A crowd that asks
        # takes no more than a fifth of the time from the play.
        self._player_pages: KeptPages[tuple[Packed, str] | None] = KeptPages(KEPT_PAGES, rest=4)
        # When the last orders came, as far as these count.
        self._orders: deque[float] = deque(maxlen=MOST_ORDERS)
        self.channel = Channel(lambda: {"version": self._version})

    def application(self, oracle: Oracle) -> Starlette:
        """Return the application; figures of boards are computed by the oracle."""
        return Starlette(
            routes=[
                Route("/", self.leaderboard),
                Route("/status", self.status),
                Route("/players/{number}/", self.player),
                Route("/changes", self.changes),
                Mount("/matches", app=OpenedPages(partial(self._match, oracle=oracle))),
                Route("/api/v1/orders", self.order, methods=["POST"]),
                static_route(),
            ]
        )

    async def leaderboard(self, request: Request) -> Response:
        """Answer with the leaderboard."""
        return await self._page(request, "ladder")

    async def status(self, request: Request) -> Response:
        """Answer with the state of the ladder."""
        return await self._page(request, "status")

    async def player(self, request: Request) -> Response:
        """Answer with the page of a player."""
        numbers = [request.path_params["number"], *request.query_params.getlist("before")]
        if len(numbers) > 2 or not all(map(_NUMBER.fullmatch, numbers)):
            raise HTTPException(404)
        number, before, *_ = (*map(int, numbers), None)
        await self._has_looked.wait()
        try:
            page = await self._player_pages.page(
                (number, before), partial(self._player_page, number, before)
            )
        except (StoreError, OSError):
            raise _unreadable() from None
        except asyncio.QueueFull:
            raise HTTPException(503, headers={"retry-after": "5"}) from None
        if page is None:
            raise HTTPException(404)
        return _answer(request, page)

    async def changes(self, request: Request) -> Response:
        """Answer with the changes of the pages."""
        if request.scope["http_version"] != "1.1":
            raise HTTPException(505, "HTTP/1.1 is needed")
        return Stream(self.channel)

    async def order(self, request: Request) -> Response:
        """Carry out an order; the token comes first, so that strangers cost nothing more."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not self._is_administrator(token):
            challenge = {"www-authenticate": "Bearer"}
            return _failed(401, "the administrator's token is wrong, or was replaced", challenge)
        if len(self._orders) == MOST_ORDERS and self._now() - self._orders[0] < 60:
            return _failed(
                429, f"{MOST_ORDERS} orders a minute are the most", {"retry-after": "60"}
            )
        self._orders.append(self._now())
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return _failed(415, "expected application/json")
        try:
            order = ORDER.validate_json(await body_of(request, LONGEST_ORDER))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            why = f"{place}: {first['msg']}" if place else first["msg"]
            self._note(None, why)
            return _failed(400, why)
        self._note(order)
        outcome = "not known"  # as the ladder ended, or by a fault of the arena's
        try:
            done = await self._carry_out(order)
            outcome = "done"
        except LadderError as error:
            outcome = str(error)
            return _failed(400, outcome)
        except (StoreError, OSError) as error:
            outcome = str(error)
            why = "the ladder's files or its database cannot be read or written now"
            return _failed(503, why, {"retry-after": "5"})
        finally:
            self._note(order, outcome)
        return JSONResponse({"done": done})

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
                self._player_pages.forget()
                self._version += 1
                self.channel.change({"version": self._version})
            await asyncio.sleep(max(LOOK_SECONDS, 20 * (time.perf_counter() - began)))

    # Private methods.

    def _note(self, order: Order | None, outcome: str | None = None) -> None:
        """Log an order, None for one that cannot be read, and what came of it once it is known.

        What was done is not logged, as it may be a token.
        """
        if isinstance(order, ShowStatus):
            return
        facts = None if order is None else order.model_dump(exclude_none=True)
        if outcome is None:
            self._log.write("order_from_afar", order=facts)
        else:
            self._log.write("order_from_afar_ended", order=facts, outcome=outcome)

    def _look(self) -> bool:
        """Make the pages if the ladder has changed; return whether it has."""
        state = state_of(self._store)
        if state == self._state:
            return False
        board = leaderboard(self._store)
        pages = pages_of(state, board)
        self._pages = {name: _packed(page) for name, page in pages.items()}
        self._state, self._board = state, board
        return True

    async def _page(self, request: Request, name: str) -> Response:
        await self._has_looked.wait()
        if name not in self._pages:
            raise _unreadable()
        return _answer(request, self._pages[name])

    async def _player_page(self, number: int, before: int | None) -> tuple[Packed, str] | None:
        """Return the page of a player; None if there is none. Raises StoreError and OSError."""
        if self._board is None:
            raise StoreError("nothing could be read yet")
        page = await asyncio.to_thread(player_page, self._store, self._board, number, before)
        return None if page is None else _packed(page)

    def _match(self, number: str, oracle: Oracle) -> ASGIApp:
        """Return the pages of a match. Raises HTTPException unless it is over."""
        if not _NUMBER.fullmatch(number):
            raise HTTPException(404)
        try:
            results = self._store.archive.results(int(number))
            library = Library(() if results is None else replays_of_events([results]))
        except (StoreError, ValueError):
            raise HTTPException(404) from None
        if results is None:
            raise HTTPException(404, "No match of this number is over.\n")
        up = Link(href="../../", text="Leaderboard")
        return Viewing(library, results.event.name, Figures(oracle), up=up).application(number)


@asynccontextmanager
async def serving_ladder(
    pages: LadderPages, listener: socket.socket, address: str
) -> AsyncIterator[None]:
    """Answer requests while the context is entered.

    Args:
        pages: The pages.
        listener: The socket that listens.
        address: The address for browsers.
    """
    with Oracle(workers=1, background=True) as oracle:
        following = asyncio.create_task(pages.follow())
        application, hosts = pages.application(oracle), hosts_at(listener, address)
        async with serving(application, listener, hosts, lambda: [pages.channel]):
            try:
                yield
            finally:
                following.cancel()


def _unreadable() -> HTTPException:
    return HTTPException(503, "the store cannot be read now\n", {"retry-after": "5"})


def _answer(request: Request, page: tuple[Packed, str]) -> Response:
    """Answer with a page, unless the browser has it."""
    packed, tag = page
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return packed.answer(request, headers)


def _packed(page: str) -> tuple[Packed, str]:
    content = page.encode()
    return Packed(content, "text/html; charset=utf-8"), f'"{sha256(content).hexdigest()[:32]}"'


def _failed(status: int, error: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": error}, status, headers)
