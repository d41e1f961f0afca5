"""The people who play in browsers: who is awaited, and what each has played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments import Event, Unit
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.web.common.doors import SecretLinks


@dataclass(frozen=True, kw_only=True, slots=True)
class Offers:
    hints: bool = False  # whether they may ask for hints
    undo: bool = False  # whether they may take back actions
    # The place where results are written, which they are told; "" if they are not told.
    results: str = ""
    # The command that goes on after an interruption, which they are told; "" if they are not told.
    go_on: str = ""
    # The command for another match like this, which they are told; "" if they are not told.
    again: str = ""
    # The address where they can begin another match, relative to the seat; "" if there is none.
    another: str = ""
    # The address to which the button sends with which they leave the table, and that of the pages
    # beside it; "" if there is none.
    leave: str = ""
    home: str = ""
    # The last words when all boards are over; "" for those of an event.
    ending: str = ""


@dataclass(eq=False, slots=True)
class Chair:
    """The places of a person: a seat, or several that the person takes in turn."""

    person: str
    # All seats that were offered; and the places where the person sits, or may sit down now.
    entry_seats: dict[Seat, EntrySeat] = field(default_factory=dict)
    places: dict[Seat, WebsocketPlayer] = field(default_factory=dict)
    # The units that were begun, and the person's seat in each; the last may be in play.
    played: list[tuple[Unit, Seat]] = field(default_factory=list)

    def place(self, letter: str) -> WebsocketPlayer | None:
        """Return the place in the seat of a letter; None if nobody is awaited there."""
        return {seat.letter: place for seat, place in self.places.items()}.get(letter)


class PeopleSeats:
    """The people of an event (`tournaments.play.venue.SeatPages`).

    Links begin with the URL of the server, `address`; each new one is announced on a line for that
    person alone.
    """

    def __init__(self, event: Event, address: str, announce: Callable[[str], None]) -> None:
        self.links = SecretLinks()
        self._parties = [entrant.party() for entrant in event.entries]
        self.address = address
        self.is_closed = False  # whether the event is over, so that nobody is awaited any more
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
        for chair in self._chairs.values():
            seat = self.seat_of(chair, unit)
            if seat is not None:
                chair.played.append((unit, seat))

    def seat_of(self, chair: Chair, unit: Unit) -> Seat | None:
        """Return the seat of a person in a unit; None if the person does not play it."""
        for seat, entry_seat in chair.entry_seats.items():
            if self._parties[unit.lineup[seat]].at(seat) == entry_seat.entry:
                return seat
        return None

    def others(self, chair: Chair) -> list[tuple[Seat, WebsocketPlayer]]:
        """Return the other people at the table where a person plays, or has played last."""
        if not chair.played:
            return []
        unit, _ = chair.played[-1]
        return [
            (seat, place)
            for other in self._chairs.values()
            if other is not chair
            and other.played
            and other.played[-1][0] == unit
            and (place := other.places.get(seat := other.played[-1][1])) is not None
        ]

    def waiting(self, chair: Chair) -> dict[str, dict[str, float]]:
        """Return the seconds that other people at the table have left, by their seats.

        They are those for the `turn` of one who is to act and, if that person is `away`, those to
        come back. The others are left out: to go away out of turn would be a signal to a partner.
        """
        waiting: dict[str, dict[str, float]] = {}
        for seat, place in self.others(chair):
            turn, away = place.turn_now(), place.back_within
            if turn is not None:
                left = {"turn": turn.seconds, "away": away}
                waiting[seat.letter] = {
                    what: seconds for what, seconds in left.items() if seconds is not None
                }
        return waiting

    def close(self) -> None:
        """Stop offering places, as the event is over."""
        self.is_closed = True
        for chair in self._chairs.values():
            chair.places.clear()

    def chair(self, person: str | None) -> Chair | None:
        """Return the chair of a person; None if there is none."""
        return None if person is None else self._chairs.get(person)

    def players(self, unit: Unit) -> list[str]:
        """Return the own names of the players North, East, South, West."""
        parties = [self._parties[entry] for entry in unit.lineup]
        return [
            party.at(seat).name.removeprefix(f"{party.name} / ")
            for seat, party in zip(SEATS, parties, strict=True)
        ]
