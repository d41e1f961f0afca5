"""Who is told what is played where, beside what its tables show: the arena's web pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.server.feed import Feed
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat
from bridge_arena.tournaments.schedule.units import Unit


class Reception(Protocol):
    """Where people come who play."""

    def await_person(self, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        """A person is to sit down at a place: the first, or the next for a seat that was lost."""

    def dismiss_person(self, entry_seat: EntrySeat) -> None:
        """Nobody can sit down there any more, unless a person is awaited again."""


class Audience(Reception, Protocol):
    """Sees the tables of a hall.

    What it is told of a unit is not for those who watch before `Feed` shows it: cards, calls and
    results wait for the event's broadcast.
    """

    def opened(self, feeds: Sequence[Feed]) -> None:
        """The hall has these tables; called in the event loop in which it plays."""

    def begun(self, table: int, unit: Unit, board: Board) -> None:
        """A table, by its number from 0, begins to play a unit."""

    def ended(self, unit: Unit, record: BoardRecord) -> None:
        """A unit was played, and is kept."""
