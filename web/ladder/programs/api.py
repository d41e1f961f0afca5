"""A ladder for programs: `/api/v1`.

Answers are made when somebody asks, one at a time, and each once for a state of the ladder. They
may be read by pages of any site, as everybody may know them. An address that asks too often has to
wait. An error is `{"error": "what is wrong"}`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from bridge_arena.tournaments import StoreError
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.web.common.kept_pages import KeptPages
from bridge_arena.web.common.rate_limit import RateLimit, address_of_client
from bridge_arena.web.common.serving import Page
from bridge_arena.web.ladder.programs.api_operations import (
    LARGEST,
    OPERATIONS,
    Known,
    Operation,
    Query,
)
from bridge_arena.web.ladder.programs.openapi import openapi_document
from bridge_arena.web.ladder.programs.results_stream import Results
from bridge_arena.web.ladder.reading import NUMBER

RATE, AT_ONCE = 10.0, 100
"""The requests of an address in a second, and those that may come at once."""

LONGEST_QUERY = 300
"""The most letters of a query."""

STAY_SECONDS = 3600
"""The seconds for which clients may keep what stays as it is."""

_KEPT = 256

_FOR_ALL = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "etag, retry-after",
    "cross-origin-resource-policy": "cross-origin",
}

_PREFLIGHT = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "if-none-match, last-event-id",
    "access-control-max-age": "86400",
}
"""What pages of other sites may ask with."""

Answer = Callable[[Request], Awaitable[Response]]


class LadderApi:
    """The answers to programs, for one event loop.

    Args:
        store: The store of the ladder.
        has_looked: Is set after the first look at the ladder.
        now: Returns the time in seconds.

    Attributes:
        results: The results as they come.
    """

    def __init__(
        self,
        store: LadderStore,
        has_looked: asyncio.Event,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.results = Results(store)
        self._has_looked = has_looked
        self._limit = RateLimit(RATE, AT_ONCE, now)
        self._known: Known | None = None
        # By the operation, the numbers in its address and its query.
        self._answers = KeptPages[Page | None](_KEPT)
        # Those of what stays as it is.
        self._lasting_answers = KeptPages[Page | None](_KEPT)
        text = json.dumps(openapi_document(), ensure_ascii=False).encode()
        self._document = Page(text, "application/json", {**_FOR_ALL, "cache-control": "no-cache"})

    def route(self) -> Mount:
        """Return the route of the addresses."""
        routes = [
            *(_route(one.path, partial(self._answer, one)) for one in OPERATIONS),
            _route("/results", self._results),
            _route("/openapi.json", self._openapi),
            _route("/", self._index),
            Route("/orders", _no_order, methods=["POST"]),
        ]
        application = Starlette(routes=routes, exception_handlers={HTTPException: _error})
        return Mount("/api/v1", application)

    def look(self, known: Known) -> None:
        """Take what was found at a look at the ladder. Raises StoreError."""
        self.results.look(known.board)
        self._known = known

    async def note_change(self) -> None:
        """Answer by the last look from now on, and tell of the matches that have ended."""
        self._answers.note_change()
        await self.results.tell()

    # Private methods.

    async def _answer(self, operation: Operation, request: Request) -> Response:
        self._admit(request)
        numbers = _numbers(operation, request)
        query = _query(operation, request)
        await self._has_looked.wait()
        key = operation.name, *numbers, query.model_dump_json()
        try:
            kept = self._lasting_answers if operation.stays else self._answers
            page = await kept.page(key, partial(self._made, operation, numbers, query))
        except (StoreError, OSError):
            raise _busy("the store cannot be read now") from None
        except asyncio.QueueFull:
            raise _busy("too many ask at once") from None
        if page is None:
            raise HTTPException(404, self._why_missing(operation, numbers))
        return page.answer(request)

    def _why_missing(self, operation: Operation, numbers: Sequence[int]) -> str:
        waiting = [] if self._known is None else self._known.board.waiting
        if operation.path.startswith(("/players/", "/pairs/")):
            for player in waiting:
                if player.number in numbers:
                    return f"player {player.number} has not come yet"
        return "there is nothing of this number"

    async def _made(
        self, operation: Operation, numbers: Sequence[int], query: Query
    ) -> Page | None:
        """Return an answer. Raises StoreError and OSError."""
        known = self._known
        if known is None:
            raise StoreError("nothing could be read yet")
        return await asyncio.to_thread(_page, operation, known, numbers, query)

    async def _results(self, request: Request) -> Response:
        address = self._admit(request)
        _no_query(request)
        if request.scope["http_version"] != "1.1":
            raise HTTPException(505, "HTTP/1.1 is needed")
        await self._has_looked.wait()
        return self.results.answer(request, address, _FOR_ALL)

    async def _openapi(self, request: Request) -> Response:
        self._admit(request)
        _no_query(request)
        return self._document.answer(request)

    async def _index(self, request: Request) -> Response:
        """Lead to the document that describes all addresses."""
        self._admit(request)
        _no_query(request)
        return RedirectResponse("openapi.json", headers=_FOR_ALL)

    def _admit(self, request: Request) -> str:
        """Count a request, and return the address of its client. Raises HTTPException."""
        address = address_of_client(request)
        wait = self._limit.admit(address)
        if wait:
            text = f"{RATE:.0f} requests a second are the most"
            raise HTTPException(429, text, {"retry-after": f"{int(wait) + 1}"})
        return address


def _route(path: str, answer: Answer) -> Route:
    """Return the route of an address that is read, also by pages of other sites."""

    async def answer_or_allow(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=_PREFLIGHT)
        return await answer(request)

    return Route(path, answer_or_allow, methods=["GET", "OPTIONS"])


async def _no_order(_: Request) -> Response:
    """Refuse an order, as this ladder takes none from afar."""
    raise HTTPException(404, "this ladder takes no orders from afar")


def _page(operation: Operation, known: Known, numbers: Sequence[int], query: Query) -> Page | None:
    try:
        answer = operation.make(known, query, *numbers)
    except ValueError:  # the store has records that are not of their match
        return None
    if answer is None:
        return None
    content = answer if isinstance(answer, bytes) else answer.model_dump_json().encode()
    cache = f"public, max-age={STAY_SECONDS}" if operation.stays else "no-cache"
    return Page(content, operation.media_type, {**_FOR_ALL, "cache-control": cache})


def _numbers(operation: Operation, request: Request) -> list[int]:
    """Return the numbers in an address. Raises HTTPException."""
    texts = [request.path_params[name] for name in operation.numbers]
    if not all(map(NUMBER.fullmatch, texts)):
        raise HTTPException(404, f"expected numbers from 1 to {LARGEST} in the address")
    return list(map(int, texts))


def _query(operation: Operation, request: Request) -> Query:
    """Return the parameters of a request. Raises HTTPException."""
    if len(request.scope["query_string"]) > LONGEST_QUERY:
        raise HTTPException(400, f"a query has at most {LONGEST_QUERY} letters")
    given = request.query_params.multi_items()
    known = operation.query.model_fields
    for name, _ in given:
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "there is none"
            raise HTTPException(400, f"{name!r} is no parameter: {there}")
    if len(dict(given)) < len(given):
        raise HTTPException(400, "a parameter is given twice")
    try:
        return operation.query.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        why = first["msg"].removeprefix("Value error, ")
        raise HTTPException(400, f"{first['loc'][0]}: {why}") from None


def _no_query(request: Request) -> None:
    if request.scope["query_string"]:
        raise HTTPException(400, "there are no parameters")


def _busy(text: str) -> HTTPException:
    return HTTPException(503, text, {"retry-after": "5"})


async def _error(request: Request, error: Exception) -> Response:
    """Answer with an error, which pages of other sites may read unless it is about an order."""
    assert isinstance(error, HTTPException)
    is_order = request.method == "POST" or request.url.path.endswith("/orders")
    shared = {} if is_order else _FOR_ALL
    headers = {**shared, **(error.headers or {})}
    return JSONResponse({"error": error.detail}, error.status_code, headers)
