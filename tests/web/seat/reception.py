"""A seat for a person on a real server, and browsers of any manners."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.web.director.application import DirectorPages
from bridge_arena.web.event_pages import EventPages
from bridge_arena.web.seat.people import Offers
from tests.patience import PATIENCE
from tests.web.live.halls import Hall
from tests.web.live.serving import Answer, ask

PEOPLE = Event(
    name="People",
    format=Format.MATCH,
    seed=1,
    boards=2,
    entries=(
        Entrant(bot="human:Ann & human:Bob & random & random", name="Us"),
        Entrant(bot="random", name="Them"),
    ),
)
"""Ann sits North and Bob South in the open room."""


@dataclass
class SeatPages:
    """The pages of `PEOPLE`, and the places at which Ann and Bob are awaited."""

    hall: Hall
    port: int
    places: dict[str, WebsocketPlayer] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def links(self) -> dict[str, str]:
        """The path of each person's link, by name."""
        words = [line.split() for line in self.hall.announced]
        return {each[2]: urlsplit(each[-1]).path for each in words}

    async def ask(self, method: str, path: str, cookie: str = "", host: str = "") -> Answer:
        """Ask for a page, as one who shows a cookie and calls the server by a name."""
        return await ask(self.port, method, path, {"Cookie": cookie, "Host": host})

    async def cookie(self, who: str) -> str:
        """Use somebody's link; what a browser shows from then on."""
        answer = await self.ask("POST", self.links[who])
        assert answer.status == 303, answer
        return answer.headers["set-cookie"].partition(";")[0]

    def window(
        self, cookie: str = "", origin: str | None = "", seat: str = "S", host: str = ""
    ) -> connect:
        """The websocket of a seat's page, whose origin is this server's or another's, and which
        calls the server by a name."""
        headers = {"Cookie": cookie} if cookie else {}
        if origin is not None:
            headers["Origin"] = origin or self.origin
        return connect(
            f"ws://{host or f'127.0.0.1:{self.port}'}/seat/socket/{seat}",
            additional_headers=headers,
            compression=None,
            proxy=None,
            host="127.0.0.1",
            port=self.port,
        )


async def heard(window: ClientConnection) -> dict[str, Any]:
    """The next message that a page is sent."""
    async with asyncio.timeout(PATIENCE):
        message: dict[str, Any] = json.loads(await window.recv())
        return message


@asynccontextmanager
async def reception(
    *,
    hints: bool = False,
    undo: bool = False,
    broadcast: str = "board",
    address: str = "/",
    director: DirectorPages | None = None,
) -> AsyncIterator[SeatPages]:
    hall = Hall(PEOPLE, broadcast=broadcast, address=address)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        found = SeatPages(hall, listener.getsockname()[1])
        ann, bob, *_ = PEOPLE.entries[0].players
        for who, entry, seat in (("Ann", ann, Seat.NORTH), ("Bob", bob, Seat.SOUTH)):
            place = WebsocketPlayer(Viewer(seat), Welcome(table="table 1", seat=seat))
            found.places[who] = place
            hall.people.await_person(EntrySeat(entry, seat, person=f"Us / {who} ({seat})"), place)
        pages = EventPages(
            hall.arena,
            hall.people,
            listener,
            "",
            None,
            Offers(hints=hints, undo=undo),
            director=director,
        )
        async with pages.serving():
            yield found
