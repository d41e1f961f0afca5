"""Where Blue Chip programs stay from one match to the next: they keep their seats in between.

The protocol has no way to wait for a seat, and none for a program to prove who it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.bluechip_gateway import BlueChipGateway, BlueChipSeat, OpenSeats, team_key
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.websocket_player import Noted, unnoted
from bridge_arena.tournaments.events.entries import Entry

OPPONENTS = "Opponents"
"""The other side that a program is told: it may meet several, but is told only once."""

Place = tuple[Entry, Seat]
"""A program, and a seat of its team."""


def bluechip_seat(entry: Entry, seat: Seat, noted: Noted = unnoted) -> BlueChipSeat:
    """Return a seat of a program's team."""
    teams = (entry.team, OPPONENTS) if seat.side is Side.NS else (OPPONENTS, entry.team)
    return BlueChipSeat(Viewer(seat), teams, entry.quirks, noted)


class BlueChipRoom:
    """The seats of programs that stay, used while its context is entered.

    Entering raises GatewayError.
    """

    def __init__(self, host: str, port: int) -> None:
        self._limits = ConnectionLimits()
        self._open = OpenSeats()
        self._seats: dict[tuple[str, Quirks, Seat], BlueChipSeat] = {}
        self._gateway = BlueChipGateway(self._open, host=host, port=port, limits=self._limits)

    async def __aenter__(self) -> BlueChipRoom:
        await self._gateway.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        goodbyes = (seat.say_goodbye("the ladder was stopped") for seat in self._seats.values())
        await asyncio.gather(*goodbyes)
        await self._gateway.__aexit__(*error)

    @property
    def address(self) -> str:
        """The host and the port, as programs ask for them."""
        return f"{self._gateway.host} {self._gateway.port}"

    def offer(self, places: Iterable[Place]) -> None:
        """Offer these seats and no others; who sits in another one is sent away."""
        wanted = {_key(place): place for place in places}
        for key in self._seats.keys() - wanted.keys():
            seat = self._seats.pop(key)
            self._open.withdraw(seat)
            self._limits.expected -= 1
            seat.dismiss("it is let in no more")
        for key in wanted.keys() - self._seats.keys():
            self._seats[key] = bluechip_seat(*wanted[key])
            self._open.offer(self._seats[key])
            self._limits.expected += 1

    def seat(self, place: Place) -> BlueChipSeat | None:
        """Return a seat that is offered; None if it is not any more."""
        return self._seats.get(_key(place))

    def has(self, places: Iterable[Place]) -> bool:
        """Return whether a program sits in each of these seats."""
        seats = map(self.seat, places)
        return all(seat is not None and seat.is_connected for seat in seats)


def _key(place: Place) -> tuple[str, Quirks, Seat]:
    entry, seat = place
    return team_key(entry.team), entry.quirks, seat
