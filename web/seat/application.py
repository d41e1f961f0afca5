"""The pages of people who play, as routes of an event's application.

/sit/SECRET      a link that opens a seat once, for the browser in which its button is pressed
/seat/           the page of the seat that a browser has
/seat/socket/S   the messages of the protocol to and from the player in seat S
/seat/about      who sits at the table, and the board before, once that may be shown
/seat/waiting    which other people are to act, if they are away, and how long they have left;
                 whether the director has paused the event
/seat/hint       what `natural` would do, if the event allows hints
/seat/again      the last board that is over, played on from other cards: `?key=KEY&cards=SA.H2`

None of them needs the key of spectators, which players are not told.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from bridge_arena.bridge.errors import BridgeError
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.protocol.messages import MOST_QUESTIONS
from bridge_arena.tournaments.schedule.rulings import Paused, paused
from bridge_arena.web.common.doors import Door, form_page, is_from_here
from bridge_arena.web.common.pages import page_of
from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.seat.afterwards import Afterwards
from bridge_arena.web.seat.again import played_on, read_cards
from bridge_arena.web.seat.browser_link import BrowserLink
from bridge_arena.web.seat.hints import Adviser
from bridge_arena.web.seat.people import Chair, Offers, PeopleSeats

NOBODY_AWAITED = 4404
"""The close code if nobody is awaited at the seat now."""

EVENT_OVER = 4410
"""The close code if the event is over."""


class SeatPages:
    """The handlers of requests by people who play."""

    def __init__(
        self,
        arena: LiveArena,
        people: PeopleSeats,
        oracle: Oracle,
        afterwards: Afterwards,
        offers: Offers,
        door: Door | None = None,
    ) -> None:
        """Answer people's requests.

        They come by a door, by default that of the seats' links.
        """
        self._arena = arena
        self._people = people
        secure = people.address.startswith("https:")
        self._door = door or Door(people.links, "seat", secure=secure)
        self._oracle = oracle
        self._afterwards = afterwards
        self._advisers: defaultdict[Chair, Adviser] = defaultdict(Adviser)
        # Held while the solver plays a board again with a person.
        self._playing: defaultdict[Chair, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._offers = offers

    def routes(self) -> list[BaseRoute]:
        """Return the routes of links and of seats."""
        return [
            Route("/sit/{secret}", self.look, methods=["GET"]),
            Route("/sit/{secret}", self.sit_down, methods=["POST"]),
            *self.seat_routes(),
        ]

    def seat_routes(self) -> list[BaseRoute]:
        """Return the routes of who has a seat."""
        return [
            Route("/seat/", self.seat),
            WebSocketRoute("/seat/socket/{seat}", self.socket),
            Route("/seat/about", self.about),
            Route("/seat/waiting", self.waiting),
            Route("/seat/hint", self.hint),
            Route("/seat/again", self.again),
        ]

    async def look(self, request: Request) -> Response:
        """Answer with a button, so that a program that only follows links does not use it up."""
        if not self._door.is_good(request):
            return self._gone()
        return form_page(_template("sit.html"), **self._values)

    async def sit_down(self, request: Request) -> Response:
        """Give the seat to the first browser that asks."""
        return self._door.enter(request) or self._gone()

    async def seat(self, request: Request) -> Response:
        chair = self._chair(request)
        if chair is None:
            return self._page("gone.html", status=403, is_link=False)
        seats = " ".join(seat.letter for seat in chair.entry_seats)
        values: dict[str, Any] = {
            "who": chair.person,
            "seats": seats,
            "most_asked": MOST_QUESTIONS,
            "offers": self._offers,
        }
        if self._offers.leave:
            return form_page(_template("seat.html"), **self._values, **values)
        return self._page("seat.html", **values)

    async def about(self, request: Request) -> Response:
        """Answer with the information beside the protocol."""
        return JSONResponse(self._afterwards.about(self._own_chair(request)))

    async def waiting(self, request: Request) -> Response:
        """Answer with the people whom the table waits for, and whether the event is paused."""
        waiting = self._people.waiting(self._own_chair(request))
        if Paused() in paused(self._arena.rulings):
            waiting["paused"] = {}
        return JSONResponse(waiting)

    async def hint(self, request: Request) -> Response:
        """Answer with a call or a card."""
        chair = self._own_chair(request)
        if not self._offers.hints or not chair.played:
            raise HTTPException(404)
        _, seat = chair.played[-1]
        place = chair.places.get(seat)
        return JSONResponse({} if place is None else await self._advisers[chair].advice(place))

    async def again(self, request: Request) -> Response:
        """Answer with cards played on by the solver, one question of a person at a time."""
        chair = self._own_chair(request)
        over = self._afterwards.last_over(chair)
        if over is None or over[0].key != request.query_params.get("key"):
            raise HTTPException(404)
        playing = self._playing[chair]
        if playing.locked():
            raise HTTPException(429)
        _, unit, seat = over
        record = self._arena.played[unit.id]
        async with playing:
            try:
                cards = read_cards(request.query_params.get("cards", ""))
                return JSONResponse(await played_on(record, seat, cards, self._oracle))
            except BridgeError as error:
                raise HTTPException(400, str(error)) from None
            except OracleError:
                raise HTTPException(503) from None

    async def socket(self, websocket: WebSocket) -> None:
        """Let a player play over this connection, which replaces an older one."""
        chair = self._chair(websocket)
        if chair is None or not is_from_here(websocket):
            await websocket.close(1008)
            return
        await websocket.accept()
        place = chair.place(websocket.path_params["seat"])
        if place is None:
            await websocket.close(EVENT_OVER if self._people.is_closed else NOBODY_AWAITED)
            return
        link = BrowserLink(websocket, undo=self._offers.undo)
        conversing = asyncio.create_task(link.converse())
        try:
            await place.attach(link)
            await conversing
        finally:
            conversing.cancel()
            place.lose(link, "the page was closed or lost")

    def _own_chair(self, request: Request) -> Chair:
        """Return the chair of the browser. Raises HTTPException if it has none."""
        chair = self._chair(request)
        if chair is None:
            raise HTTPException(403)
        return chair

    def _chair(self, connection: HTTPConnection) -> Chair | None:
        return self._people.chair(self._door.person(connection))

    def _gone(self) -> Response:
        return self._page("gone.html", status=410, is_link=True)

    @property
    def _values(self) -> dict[str, object]:
        """The values of all pages."""
        return {"title": self._arena.event.name, "static": "../static/"}

    def _page(self, template: str, status: int = 200, **values: object) -> Response:
        return HTMLResponse(page_of(_template(template), **self._values, **values), status)


def _template(name: str) -> Path:
    return Path(__file__).with_name(name)
