"""An entry in a compass seat: who is wanted where."""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.events.entries import Entry


class SeatingError(Exception):
    """A bot did not come to its tables: one line says which and why."""


@dataclass(frozen=True, slots=True)
class EntrySeat:
    """A bot and the seat that it takes, at any table. `room`, `match`: set where an entry has
    processes apart for two rooms, or for each match. `person`: set where a person takes it, by what
    is the same in all seats that the same person takes in turn."""

    entry: Entry
    seat: Seat
    room: str = ""
    match: str = ""
    person: str = ""

    def __str__(self) -> str:
        room = f", {self.room} room" if self.room else ""
        match = f", match {self.match}" if self.match else ""
        return f"{self.entry.name} ({self.seat}{room}{match})"
