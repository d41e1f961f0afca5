"""The pages of `arena view` as a Starlette application.

    /KEY/                            the list of boards: `?q=WORDS&from=NUMBER`
    /KEY/boards/NAME.html            a board
    /KEY/boards/NAME-table-N.js      a table of a board that has many
    /KEY/boards/NAME.json            the board's double-dummy table and par
    /KEY/boards/NAME-table-N.json    a table again, with the costs of its cards
    /KEY/boards/NAME-table-N-calls.json   the costs of its calls, as far as they are found
    /KEY/static/FILE                 scripts and styles

KEY is secret, as boards may be of an event that is not over: other users of this machine can reach
its loopback address too, and only Linux tells who they are.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from secrets import token_urlsafe

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from bridge_arena.base.wording import plural
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.analysis.answers import AnswersError
from bridge_arena.web.board.document import Link
from bridge_arena.web.board.of_records import cost_of_call, figures_of
from bridge_arena.web.board.page import board_page
from bridge_arena.web.common.pages import embedded
from bridge_arena.web.common.serving import serving_here, static_route
from bridge_arena.web.replays.listing import (
    ROWS,
    Listing,
    listing_page,
    players,
    results,
    row_of,
    running_totals,
    start_of,
)
from bridge_arena.web.replays.replay import Replay, ReplayPage, document, links_of, rests_at_once
from bridge_arena.web.replays.scripts import script
from bridge_arena.web.viewing.on_demand import CallCosts, Figures


class Library:
    """The replays that are shown, in the order of the list."""

    def __init__(self, replays: Iterable[Replay]) -> None:
        self.replays = {replay.name: replay for replay in replays}
        self.pages = [page for replay in self.replays.values() for page in replay.pages()]
        # The places of the pages, by name.
        self.places = {page.name: place for place, page in enumerate(self.pages)}

    def search(self, query: str) -> list[ReplayPage]:
        """Return the pages that match each word of a query.

        A number matches that of a board; any other word matches a part of the text in the list.
        """
        words = query.lower().split()
        return [
            page
            for page, text in zip(self.pages, self._texts, strict=True)
            if all(_has(page, text, word) for word in words)
        ]

    @cached_property
    def _texts(self) -> list[str]:
        return [
            "\n".join(
                [page.replay.title, players(page), *(result.text for result in results(page))]
            ).lower()
            for page in self.pages
        ]

    @cached_property
    def totals(self) -> dict[str, int | None]:
        """The home team's IMPs of a match up to each page, by the pages' names."""
        names = (page.name for page in self.pages)
        return dict(zip(names, running_totals(self.pages), strict=True))


def _has(page: ReplayPage, text: str, word: str) -> bool:
    return page.replay.board.number == int(word) if word.isdecimal() else word in text


LONGEST_QUERY = 200

MOST_COMPUTING = 32
"""The most requests that wait for the figures of an event, one after another."""

_TABLE = re.compile(r"(?P<name>.+)-table-(?P<number>[1-9]\d{0,5})", re.ASCII)


@dataclass(eq=False)
class Viewing:
    """The handlers of requests for boards."""

    library: Library
    title: str
    figures: Figures
    call_costs: CallCosts | None = None  # None if nobody may ask for the costs of calls
    ups: Sequence[Link] = ()  # the pages above the list, the highest first, seen from it
    note: str = ""  # what is said beside the number of boards

    def __post_init__(self) -> None:
        self._computing = 0  # the requests that wait for figures

    def application(self, key: str) -> Starlette:
        """Return the application, whose addresses begin with a key."""
        routes = [
            Route("/", self.list),
            Route("/boards/{name}.html", self.board),
            Route("/boards/{name}.js", self.table),
            Route("/boards/{name}-calls.json", self.calls),
            Route("/boards/{name}.json", self.values),
            static_route(),
        ]
        return Starlette(routes=[Mount(f"/{key}", routes=routes)])

    async def list(self, request: Request) -> Response:
        """Answer with a part of the list of boards."""
        query = request.query_params.get("q", "")[:LONGEST_QUERY]
        pages = self.library.search(query) if query.strip() else self.library.pages
        start = start_of(request.query_params, len(pages))
        lead = plural(len(self.library.pages), "board")
        if query.strip():
            lead = f"{len(pages)} of {lead}"
        if self.note:
            lead = f"{lead}, {self.note}"
        listing = Listing(
            title=self.title,
            lead=lead,
            rows=[
                row_of(page, f"boards/{_address(page.name)}", self.library.totals[page.name])
                for page in pages[start : start + ROWS]
            ],
            ups=self.ups,
            query=query,
        ).between(start, len(pages))
        return HTMLResponse(listing_page(listing, "static/"))

    async def board(self, request: Request) -> Response:
        place = self.library.places.get(request.path_params["name"])
        if place is None:
            raise HTTPException(404)
        page = self.library.pages[place]
        links = links_of(self.library.pages, place, Link(href="../", text=self.title), _address)
        numbers = range(page.start + 1, page.start + len(page.tables) + 1)
        scripts = [f"{_table_name(page, number)}.js" for number in numbers]
        shown = document(page, links, rests_at_once(page) or scripts)
        has_costs = self.call_costs is not None
        return HTMLResponse(
            board_page(
                shown,
                "../static/",
                page.replay.name,
                has_call_costs=has_costs,
                ups=[Link(href=f"../{up['href']}", text=up["text"]) for up in self.ups],
            )
        )

    async def table(self, request: Request) -> Response:
        """Answer with the script that loads a table."""
        page, place = self._table(request)
        number = page.start + place + 1
        rests = {str(number): embedded(page.tables[place].rest())}
        text = script("tablesLoaded", f"{_table_name(page, number)}.js", rests)
        return Response(text, media_type="text/javascript")

    async def values(self, request: Request) -> Response:
        """Answer with double-dummy figures of a board or a table, once they are computed."""
        name = request.path_params["name"]
        if self._computing >= MOST_COMPUTING:
            return PlainTextResponse("busy: try again\n", 503, {"Retry-After": "5"})
        self._computing += 1
        try:
            if (replay := self.library.replays.get(name)) is not None:
                return JSONResponse(figures_of(*await self.figures.of_board(replay.board)))
            page, place = self._table(request)
            table = page.tables[place]
            played = await self.figures.of_table(table.played)
        except OracleError as error:
            return PlainTextResponse(f"{error}\n", 504)
        finally:
            self._computing -= 1
        return JSONResponse(replace(table, played=played).rest())

    async def calls(self, request: Request) -> Response:
        """Answer with the costs of a table's calls, as far as they are found."""
        page, place = self._table(request)
        if self.call_costs is None:
            raise HTTPException(404)
        try:
            of_record = self.call_costs.of(page.tables[place].played.record)
        except (AnswersError, OSError) as error:
            return PlainTextResponse(f"{error}\n", 503)
        costs = [None if cost is None else cost_of_call(cost) for cost in of_record.costs]
        return JSONResponse({"costs": costs, "done": of_record.done, "isOver": of_record.is_over})

    def _table(self, request: Request) -> tuple[ReplayPage, int]:
        """Return the page of a table, and its place there. Raises HTTPException."""
        match = _TABLE.fullmatch(request.path_params["name"])
        replay: Replay | None = self.library.replays.get(match["name"]) if match else None
        if match and replay and (number := int(match["number"])) <= len(replay.tables):
            pages = list(replay.pages())
            page = next(other for other in reversed(pages) if other.start < number)
            return page, number - 1 - page.start
        raise HTTPException(404)


def _address(name: str) -> str:
    """Return the address of a page."""
    return f"{name}.html"


def _table_name(page: ReplayPage, number: int) -> str:
    """Return the name of a table in addresses, by its number from 1 among those of its board."""
    return f"{page.replay.name}-table-{number}"


def serve(
    library: Library, title: str, port: int, call_costs: CallCosts, on_ready: Callable[[str], None]
) -> None:
    """Show boards to this user until SIGINT, SIGTERM or SIGHUP; `on_ready` is told the address.

    Port 0 is any free one. Raises OSError if the port is not free.
    """
    key = token_urlsafe(16)
    with socket.create_server(("127.0.0.1", port)) as listener, Oracle() as oracle:
        port = listener.getsockname()[1]
        address = f"http://127.0.0.1:{port}/{key}/"
        viewing = Viewing(library, title, Figures(oracle), call_costs)
        asyncio.run(serving_here(viewing.application(key), listener, lambda: on_ready(address)))
