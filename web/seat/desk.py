"""Where people are shown to their seats: who is awaited, and what each has played."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.web.seat.links import SeatLinks


class Chair:
    """A person's seat, whoever is at the table with it."""

    def __init__(self, entry_seat: EntrySeat) -> None:
        self.entry_seat = entry_seat
        # Where the person sits or may sit down; None while nobody is awaited.
        self.place: WebsocketPlayer | None = None
        # What was begun to be played there, in order; the last may be in play.
        self.units: list[Unit] = []

    @property
    def seat(self) -> Seat:
        """By the compass."""
        return self.entry_seat.seat


class Desk:
    """The people of an event (`tournaments.play.audience.Reception`).

    `address`: what links begin with. `announce`: is told each new link, on a line that is for the
    person alone.
    """

    def __init__(self, event: Event, address: str, announce: Callable[[str], None]) -> None:
        self.links = SeatLinks()
        self._parties = [entrant.party() for entrant in event.entries]
        self._address = address
        self._announce = announce
        self._chairs: dict[EntrySeat, Chair] = {}

    def await_person(self, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        """Offer a place; the first time by a link."""
        if entry_seat not in self._chairs:
            self._chairs[entry_seat] = Chair(entry_seat)
            link = f"{self._address}sit/{self.links.create(entry_seat)}"
            self._announce(f"{entry_seat} sits down at {link}")
        self._chairs[entry_seat].place = place

    def dismiss_person(self, entry_seat: EntrySeat) -> None:
        """Offer the place no more."""
        self._chairs[entry_seat].place = None

    def begun(self, unit: Unit) -> None:
        """Note whose board begins."""
        for chair in self._chairs.values():
            if self._parties[unit.lineup[chair.seat]].at(chair.seat) == chair.entry_seat.entry:
                chair.units.append(unit)

    def close(self) -> None:
        """Offer no place any more: the event is over."""
        for chair in self._chairs.values():
            chair.place = None

    def chair(self, shown: str) -> Chair | None:
        """Return the chair of a browser, by what it shows; None where it has none."""
        entry_seat = self.links.seat(shown)
        return None if entry_seat is None else self._chairs.get(entry_seat)

    def players(self, unit: Unit) -> list[str]:
        """Return who sits North, East, South, West, each by the own name."""
        parties = [self._parties[unit.lineup[seat]] for seat in SEATS]
        return [
            party.at(seat).name.removeprefix(f"{party.name} / ")
            for seat, party in zip(SEATS, parties, strict=True)
        ]
