"""The desk at which people take their seats: who is awaited, and what each has played."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments import Event, Unit
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.web.seat.links import SeatLinks


class Chair:
    """The places of a person: a seat, or several that the person takes in turn.

    Attributes:
        person: The person's name.
        entry_seats: All seats that were offered.
        places: The places where the person sits, or may sit down now.
        played: The units that were begun, and the person's seat in each, in order; the last may be
            in play.
    """

    def __init__(self, person: str) -> None:
        self.person = person
        # All seats that were offered; and the places where the person sits, or may sit down now.
        self.entry_seats: dict[Seat, EntrySeat] = {}
        self.places: dict[Seat, WebsocketPlayer] = {}
        # The units that were begun, and the person's seat in each; the last may be in play.
        self.played: list[tuple[Unit, Seat]] = []

    def place(self, letter: str) -> WebsocketPlayer | None:
        """Return the place in the seat of a letter; None if nobody is awaited there."""
        return {seat.letter: place for seat, place in self.places.items()}.get(letter)


class Desk:
    """The people of an event (`tournaments.play.audience.SeatPages`).

    Args:
        event: The event.
        address: The URL of the server, with which links begin.
        announce: Called with each new link, on a line for that person alone.

    Attributes:
        links: The links that open seats.
        address: The URL of the server.
        is_closed: Whether the event is over, so that nobody is awaited any more.
    """

    def __init__(self, event: Event, address: str, announce: Callable[[str], None]) -> None:
        self.links = SeatLinks()
        self._parties = [entrant.party() for entrant in event.entries]
        self.address = address
        self.is_closed = False
        self._announce = announce
        self._chairs: dict[str, Chair] = {}

    def await_person(self, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        """Offer a place to a person; for the first place, make a link."""
        person = entry_seat.person
        if person not in self._chairs:
            self._chairs[person] = Chair(person)
            link = f"{self.address}sit/{self.links.create(person)}"
            self._announce(f"{person} sits down at {link}")
        chair = self._chairs[person]
        chair.entry_seats[entry_seat.seat] = entry_seat
        chair.places[entry_seat.seat] = place

    def dismiss_person(self, entry_seat: EntrySeat) -> None:
        """Stop offering the place."""
        self._chairs[entry_seat.person].places.pop(entry_seat.seat, None)

    def begun(self, unit: Unit) -> None:
        """Note a board that begins with the people who play it."""
        for chair in self._chairs.values():
            for seat, entry_seat in chair.entry_seats.items():
                if self._parties[unit.lineup[seat]].at(seat) == entry_seat.entry:
                    chair.played.append((unit, seat))

    def close(self) -> None:
        """Stop offering places, as the event is over."""
        self.is_closed = True
        for chair in self._chairs.values():
            chair.places.clear()

    def chair(self, shown: str) -> Chair | None:
        """Return the chair of a browser, by its secret; None if it has none."""
        person = self.links.person(shown)
        return None if person is None else self._chairs.get(person)

    def players(self, unit: Unit) -> list[str]:
        """Return the own names of the players North, East, South, West."""
        parties = [self._parties[unit.lineup[seat]] for seat in SEATS]
        return [
            party.at(seat).name.removeprefix(f"{party.name} / ")
            for seat, party in zip(SEATS, parties, strict=True)
        ]
