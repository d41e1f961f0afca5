"""Places for bots that connect over websockets, whoever starts them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from typing import Protocol

from bridge_arena.protocol.messages import Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.websocket_player import Noted, WebsocketPlayer
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat


class Notes(Protocol):
    """Gives what takes note of a seat's connections. `where`: which of them, for the log."""

    def __call__(self, entry_seat: EntrySeat, **where: str) -> Noted: ...


class WebsocketSeats:
    """Makes a place at each of `tables` tables; a bot that is lost there may come back
    within `grace` seconds."""

    def __init__(
        self,
        event: str,
        commitment: str,
        control: TimeControl,
        tables: int,
        grace: float,
        limits: ConnectionLimits,
        notes: Notes,
    ) -> None:
        self._event = event
        self._commitment = commitment
        self._control = control
        self._tables = tables
        self._grace = grace
        self._limits = limits
        self._notes = notes

    def make(self, entry_seat: EntrySeat) -> list[WebsocketPlayer]:
        """The places of a seat."""
        self._limits.expected += self._tables
        return [self._place(entry_seat, f"table {number}") for number in range(1, self._tables + 1)]

    def close(self, places: Sequence[WebsocketPlayer]) -> None:
        """Nobody is expected at these places any more."""
        self._limits.expected -= len(places)

    def _place(self, entry_seat: EntrySeat, table: str) -> WebsocketPlayer:
        welcome = Welcome(
            table=table,
            seat=entry_seat.seat,
            tables=self._tables,
            event=self._event,
            commitment=self._commitment,
            session=secrets.token_urlsafe(16) if self._grace else "",
            grace_seconds=self._grace,
            **self._control.told(),
        )
        viewer = Viewer(entry_seat.seat, entry_seat.entry.cheat)
        place = WebsocketPlayer(viewer, welcome, self._notes(entry_seat, table=table))
        # Once one bot is known not to come, nobody looks at the others' reasons.
        place.seated.add_done_callback(_take_note)
        return place


def _take_note(seated: asyncio.Future[None]) -> None:
    """Look at how it ended, so that asyncio does not complain that nobody did."""
    if not seated.cancelled():
        seated.exception()
