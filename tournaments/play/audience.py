"""The interface by which the arena's web pages follow an event, beside the feeds of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.server.feed import Feed
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.tournaments.schedule.units import Unit


class Reception(Protocol):
    """The place where people who play come in."""

    def await_person(self, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        """Expect a person at a place: the first, or the next one for a seat that was lost."""

    def dismiss_person(self, entry_seat: EntrySeat) -> None:
        """Close a seat to people, until a person is awaited there again."""


class Audience(Reception, Protocol):
    """The spectators of the tables of a hall.

    What they are told of a unit must stay hidden from the public until `Feed` shows it: cards,
    calls and results wait for the event's broadcast.
    """

    def opened(self, feeds: Sequence[Feed]) -> None:
        """Receive the tables of the hall; called in the event loop in which the hall plays."""

    def begun(self, table: int, unit: Unit, board: Board) -> None:
        """Note that a table, by its number from 0, begins to play a unit."""

    def ended(self, unit: Unit, record: BoardRecord) -> None:
        """Note that a unit was played and stored."""
