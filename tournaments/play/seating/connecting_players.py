"""Players who come by themselves: remote bots, Blue Chip programs, and people.

Remote bots come over websockets with the token of their entry. Blue Chip programs come by team and
seat: the protocol has no tables, so a program sits in one seat, at whatever table the event needs
it, and tables take turns with it. If one is lost, the next that takes the seat replaces it. People
sit down in a browser, in one place for each of their seats.
"""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.server.bluechip_gateway import OpenSeats
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.seating import Seating
from bridge_arena.tournaments.play.seating.bluechip_room import BlueChipRoom, bluechip_seat
from bridge_arena.tournaments.play.seating.seats import (
    EntrySeat,
    Notes,
    SeatedBot,
    SeatingError,
    WebsocketSeats,
)
from bridge_arena.tournaments.play.seating.waiting_room import WaitingRoom
from bridge_arena.tournaments.play.venue import SeatPages


class RemoteBots:
    """The source of bots that connect by themselves."""

    def __init__(self, places: WebsocketSeats, waiting_room: WaitingRoom | None = None) -> None:
        self._places = places
        self._waiting_room = waiting_room
        # The seating that the token of each entry opens, by the entry's name.
        self._seatings: dict[str, Seating] = {}
        # What sends away those who were called, and are not gone.
        self._called: list[Callable[[str], None]] = []

    def seating(self, name: str) -> Seating:
        """Return the seating that the token of an entry opens; at first it has no places."""
        if self._waiting_room is not None:
            return self._waiting_room.seating(name)
        return self._seatings.setdefault(name, Seating())

    def send_all_back(self) -> None:
        """Send the bots that are still here back to the waiting room, if there is one."""
        if self._waiting_room is not None:
            for send_away in list(self._called):
                send_away("the match is adjourned")

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        """Open places to the bots of an entry."""
        places = self._places.make(entry_seat)
        seating = self.seating(entry_seat.entry.name)
        seating.open(places)

        def send_away(why: str) -> None:
            self._called.remove(send_away)
            seating.close(places)
            self._places.close(places)
            for place in places:
                place.part(f"lost its seat: {why}")

        self._called.append(send_away)
        if self._waiting_room is not None:
            await self._waiting_room.seat(entry_seat.entry.name)
        return SeatedBot(entry_seat, places, send_away)


class BlueChipBots:
    """The source of Blue Chip programs, which may keep their seats in a room when this is over."""

    def __init__(
        self, limits: ConnectionLimits, notes: Notes, room: BlueChipRoom | None = None
    ) -> None:
        # The seats that the gateway offers.
        self.seats = OpenSeats()
        self._limits = limits
        self._notes = notes
        self._room = room
        # The program at an entry's seat, or awaited there, as a seat is offered only once.
        self._seated_bots: dict[EntrySeat, SeatedBot] = {}

    @property
    def seated_bots(self) -> list[SeatedBot]:
        """The programs at their seats, or awaited there."""
        return list(self._seated_bots.values())

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        """Offer a seat to the programs of its team, unless it is offered already.

        Raises SeatingError if it is one of a room that offers it no more.
        """
        if entry_seat not in self._seated_bots:
            place = entry_seat.entry, entry_seat.seat
            offered = None if self._room is None else self._room.seat(place)
            if offered is None and self._room is not None:
                raise SeatingError(f"{entry_seat} is let in no more")
            seat = offered or bluechip_seat(*place)
            if offered is None:
                self.seats.offer(seat)
                self._limits.expected += 1
            seat.noted = self._notes(entry_seat)
            self._seated_bots[entry_seat] = SeatedBot(
                entry_seat,
                [seat],
                lambda why: seat.part(f"lost its seat: {why}"),
                stays=self._room is not None,
            )
        return self._seated_bots[entry_seat]


class People:
    """The source of people, who come to `pages`."""

    def __init__(self, places: WebsocketSeats, pages: SeatPages | None) -> None:
        self._places = places
        self._pages = pages

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        """Invite a person to a seat. Raises SeatingError."""
        pages = self._pages
        if pages is None:
            raise SeatingError(f"{entry_seat} plays in a browser, and no pages are shown")
        (place,) = self._places.make(entry_seat)
        pages.await_person(entry_seat, place)

        def send_away(why: str) -> None:
            pages.dismiss_person(entry_seat)
            place.part(f"lost the seat: {why}")

        return SeatedBot(entry_seat, [place], send_away)
