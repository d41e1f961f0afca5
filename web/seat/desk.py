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
    """What a person has at the tables: a seat, or several that the person takes in turn."""

    def __init__(self, person: str) -> None:
        self.person = person
        # All seats that were offered; and where the person sits or may sit down now.
        self.entry_seats: dict[Seat, EntrySeat] = {}
        self.places: dict[Seat, WebsocketPlayer] = {}
        # What was begun to be played, and in which seat, in order; the last may be in play.
        self.played: list[tuple[Unit, Seat]] = []

    def place(self, letter: str) -> WebsocketPlayer | None:
        """Return the place in the seat of a letter; None where nobody is awaited."""
        return {seat.letter: place for seat, place in self.places.items()}.get(letter)


class Desk:
    """The people of an event (`tournaments.play.audience.Reception`).

    `address`: what browsers call the server, and links begin with. `announce`: is told each new
    link, on a line that is for the person alone.
    """

    def __init__(self, event: Event, address: str, announce: Callable[[str], None]) -> None:
        self.links = SeatLinks()
        self._parties = [entrant.party() for entrant in event.entries]
        self.address = address
        self._announce = announce
        self._chairs: dict[str, Chair] = {}

    def await_person(self, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        """Offer a place; a person's first by a link."""
        person = entry_seat.person
        if person not in self._chairs:
            self._chairs[person] = Chair(person)
            link = f"{self.address}sit/{self.links.create(person)}"
            self._announce(f"{person} sits down at {link}")
        chair = self._chairs[person]
        chair.entry_seats[entry_seat.seat] = entry_seat
        chair.places[entry_seat.seat] = place

    def dismiss_person(self, entry_seat: EntrySeat) -> None:
        """Offer the place no more."""
        self._chairs[entry_seat.person].places.pop(entry_seat.seat, None)

    def begun(self, unit: Unit) -> None:
        """Note whose board begins."""
        for chair in self._chairs.values():
            for seat, entry_seat in chair.entry_seats.items():
                if self._parties[unit.lineup[seat]].at(seat) == entry_seat.entry:
                    chair.played.append((unit, seat))

    def close(self) -> None:
        """Offer no place any more: the event is over."""
        for chair in self._chairs.values():
            chair.places.clear()

    def chair(self, shown: str) -> Chair | None:
        """Return the chair of a browser, by what it shows; None where it has none."""
        person = self.links.person(shown)
        return None if person is None else self._chairs.get(person)

    def players(self, unit: Unit) -> list[str]:
        """Return who sits North, East, South, West, each by the own name."""
        parties = [self._parties[unit.lineup[seat]] for seat in SEATS]
        return [
            party.at(seat).name.removeprefix(f"{party.name} / ")
            for seat, party in zip(SEATS, parties, strict=True)
        ]
