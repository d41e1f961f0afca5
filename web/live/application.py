"""The pages of an event that is played, as a Starlette application.

/                       the lobby
/lobby                  its state and every change of it, as server-sent events
/tables/N               a table
/tables/N/stream        its state and every change of it; with `?solver` also the costs of cards
/boards/KEY.html        a board that is over
/matches/KEY.html       the boards of a match that are over
/static/FILE            scripts and styles
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from bridge_arena.tournaments import Unit
from bridge_arena.web.board.document import Link, Links
from bridge_arena.web.board.page import board_page
from bridge_arena.web.common.pages import page_of
from bridge_arena.web.common.serving import static_route
from bridge_arena.web.common.streams import Stream
from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.live.kibitzing import Kibitzing
from bridge_arena.web.live.lists import MatchLists
from bridge_arena.web.live.rooms import Game, TableRoom, key_of


@dataclass(eq=False)
class LivePages:
    arena: LiveArena
    kibitzing: Kibitzing

    def __post_init__(self) -> None:
        self._lists = MatchLists(self.arena)

    def application(
        self, key: str, more: Sequence[BaseRoute], own: Sequence[BaseRoute]
    ) -> Starlette:
        """Return the application; `own` are the routes that need no key."""
        static = static_route()
        routes: list[BaseRoute] = [
            Route("/", self.lobby),
            Route("/lobby", self.lobby_stream),
            Route("/tables/{number}", self.table),
            Route("/tables/{number}/stream", self.table_stream),
            Route("/boards/{key}.html", self.board),
            Route("/matches/{key}.html", self.match),
            static,
            *more,
        ]
        watching = [Mount(f"/{key}", routes=routes)] if key else routes
        return Starlette(routes=[*own, static, *watching])

    async def lobby(self, request: Request) -> Response:
        del request
        return _page("lobby.html", title=self.arena.event.name, static="static/")

    async def table(self, request: Request) -> Response:
        room = self._room(request)
        return _page(
            "table.html",
            title=f"Table {room.number}: {self.arena.event.name}",
            static="../static/",
            number=room.number,
            tables=len(self.arena.rooms),
        )

    async def board(self, request: Request) -> Response:
        """Answer with a board that is over."""
        game = self.arena.board(request.path_params["key"])
        if game is None:
            raise HTTPException(404)
        return HTMLResponse(
            board_page({**self.arena.document(game), "links": self._links(game)}, "../static/")
        )

    async def match(self, request: Request) -> Response:
        """Answer with the list of the boards of a match that are over."""
        match = request.path_params["key"].replace("-", "/")
        if not self.arena.known_of(match):
            raise HTTPException(404)
        try:
            return HTMLResponse(await self._lists.page(match, request.query_params))
        except asyncio.QueueFull:
            raise HTTPException(503, headers={"Retry-After": "5"}) from None

    async def lobby_stream(self, request: Request) -> Response:
        _check_streams(request)
        return Stream(self.arena.lobby.channel)

    async def table_stream(self, request: Request) -> Response:
        _check_streams(request)
        room = self._room(request)
        if "solver" not in request.query_params:
            return Stream(room.channel)
        return Stream(room.channel, self.kibitzing.asking(room))

    def _links(self, game: Game) -> Links:
        """Return the links of a board to the lobby, and to its neighbours that may be known."""
        links = Links(index=Link(href="../", text="Lobby"))
        match, _, position = game.key.rpartition("-")
        known = self.arena.known_of(match.replace("-", "/"))
        before = bisect_left(known, int(position), key=_position)
        after = bisect_right(known, int(position), key=_position)
        if before > 0:
            links["previous"] = self._link(known[before - 1], "← {}")
        if after < len(known):
            links["next"] = self._link(known[after], "{} →")
        return links

    def _link(self, unit: Unit, text: str) -> Link:
        _, record = self.arena.tables_of(unit)[0]
        return Link(href=f"{key_of(unit)}.html", text=text.format(f"Board {record.board.number}"))

    def _room(self, request: Request) -> TableRoom:
        # As text, as a number in an address may have thousands of digits.
        number = request.path_params["number"]
        for room in self.arena.rooms:
            if str(room.number) == number:
                return room
        raise HTTPException(404)


def _position(unit: Unit) -> int:
    return unit.position


def _page(template: str, **values: object) -> Response:
    return HTMLResponse(page_of(Path(__file__).with_name(template), **values))


def _check_streams(request: Request) -> None:
    """Check that an answer can come in chunks. Raises HTTPException."""
    if request.scope["http_version"] != "1.1":
        raise HTTPException(505, "HTTP/1.1 is needed")
