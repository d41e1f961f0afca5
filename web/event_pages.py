"""The pages of one event that is being played: everything at its address."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bridge_arena.oracle.pool import Oracle
from bridge_arena.web.common.serving import hosts_at, serving
from bridge_arena.web.director.application import DirectorPages
from bridge_arena.web.live.application import LivePages
from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.live.kibitzing import Kibitzing
from bridge_arena.web.live.past import PastEvents
from bridge_arena.web.seat.afterwards import Afterwards
from bridge_arena.web.seat.application import SeatPages
from bridge_arena.web.seat.people import Offers, PeopleSeats


@dataclass(eq=False)
class EventPages:
    """The server of an event's pages, for one event loop or for several in succession."""

    arena: LiveArena  # what spectators may know of the event
    people: PeopleSeats
    listener: socket.socket
    key: str  # what the addresses for spectators begin with; "" if anybody may see what is shown
    past: PastEvents | None  # the events that are over; None if they are not shown
    offers: Offers
    director: DirectorPages | None = field(default=None, kw_only=True)  # None if nobody directs
    only_me: bool = field(default=False, kw_only=True)  # whether other users here are cut off

    @property
    def address(self) -> str:
        """The address of the lobby."""
        return self.people.address + self.key + "/" * bool(self.key)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Answer requests while the context is entered."""
        with Oracle(workers=1, background=True) as oracle:
            kibitzing = Kibitzing(oracle, self.arena.specs)
            pages = LivePages(self.arena, kibitzing)
            past = [] if self.past is None else [self.past.route(oracle)]
            boards = None if self.key else "../boards/"
            event = None if self.key or self.past is None else f"../{self.past.own}"
            afterwards = Afterwards(self.arena, self.people, kibitzing, boards, event)
            seats = SeatPages(self.arena, self.people, oracle, afterwards, self.offers)
            own = [*seats.routes(), *([] if self.director is None else self.director.routes())]
            application = pages.application(self.key, past, own)
            hosts = hosts_at(self.listener, self.people.address)
            self.arena.wake()
            async with serving(
                application, self.listener, hosts, self.arena.channels, only_me=self.only_me
            ):
                try:
                    yield
                finally:
                    kibitzing.close()

    def close(self) -> None:
        self.listener.close()
