"""An entry in a compass seat."""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.events.entries import Entry


class SeatingError(Exception):
    """A bot did not take its seats; the message is one line."""


@dataclass(frozen=True, slots=True)
class EntrySeat:
    """A bot and the seat that it takes, at any table.

    Attributes:
        entry: The bot.
        seat: The seat.
        room: The room, if the entry has a process for each of two rooms.
        match: The match, if the entry has processes for each match.
        person: The name of the person who takes the seat; it is the same in all seats that the
            person takes in turn.
    """

    entry: Entry
    seat: Seat
    room: str = ""
    match: str = ""
    person: str = ""

    def __str__(self) -> str:
        room = f", {self.room} room" if self.room else ""
        match = f", match {self.match}" if self.match else ""
        return f"{self.entry.name} ({self.seat}{room}{match})"
