"""Who may sit down by a token, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bridge_arena.protocol.messages import Hello
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.websocket_player import WebsocketPlayer


class SeatRefusedError(Exception):
    """There is no such seat to take: one line says why."""


class Seating:
    """The places that one token opens, in the order in which they are given away.

    With `strict` they are for one process that was started here: its token opens each place
    once, and who is to come back names its session; and one who connects and does not say
    Hello as it should spoils a place, since only the bot itself can have the token. Else that
    was but an attempt.
    """

    def __init__(self, places: Iterable[WebsocketPlayer] = (), *, strict: bool = False) -> None:
        self._places = list(places)
        self._strict = strict
        # The places that were given away by the token alone.
        self._given: set[WebsocketPlayer] = set()

    def open(self, places: Iterable[WebsocketPlayer]) -> None:
        """More places can be taken."""
        self._places += places

    def close(self, places: Iterable[WebsocketPlayer]) -> None:
        """Places can be taken no more."""
        gone = set(places)
        self._places = [place for place in self._places if place not in gone]

    def claim(self, hello: Hello) -> WebsocketPlayer:
        """Where a client may sit: at the place whose session it names; else at the first
        that is free, or that has lost its bot, in the seat that it wants. One that wants no
        certain seat gets, if it can, one in which nobody sits yet: who is there already will
        take the other tables of its own. Raises SeatRefusedError."""
        places = [place for place in self._places if not place.seated.cancelled()]
        for place in places:
            if hello.resume and place.welcome.session == hello.resume:
                return place
        place = self._next(places, hello)
        if self._strict:
            self._given.add(place)
        return place

    def _next(self, places: Sequence[WebsocketPlayer], hello: Hello) -> WebsocketPlayer:
        """For one without a session. Raises SeatRefusedError."""
        if self._strict:
            places = [place for place in places if place not in self._given]
        wanted = [place for place in places if hello.seat in (None, place.viewer.seat)]
        free = [place for place in wanted if not place.seated.done()]
        taken = {place.viewer.seat for place in wanted if place.seated.done()}
        for place in sorted(free, key=lambda each: each.viewer.seat in taken):
            return place
        for place in wanted:
            if not place.is_connected and place.seated.exception() is None:
                return place
        if places and not wanted:
            raise SeatRefusedError(f"this token is for no table in seat {hello.seat}")
        raise SeatRefusedError("every place of this token is taken")

    def complain(self, fault: SeatFault) -> None:
        """A client had the token, and did not get as far as to claim a place."""
        if not self._strict:
            return
        for place in self._places:
            if not place.seated.done():
                place.seated.set_exception(fault)
                return
