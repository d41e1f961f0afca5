"""Places for bots that connect over WebSockets, whoever starts them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from bridge_arena.protocol.messages import Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.websocket_player import Noted, WebsocketPlayer, new_session
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat


class Notes(Protocol):
    """A function that returns the callback for a seat's lost and restored connections.

    `where` has further values for the log.
    """

    def __call__(self, entry_seat: EntrySeat, **where: str) -> Noted:
        """Return the callback of a seat."""


class WebsocketSeats:
    """A maker of places for bots, one at each table.

    Args:
        event: The name of the event.
        commitment: The hash that the deals were committed to; "" if there is none.
        control: The time control.
        tables: The number of tables.
        grace: Seconds in which a bot whose connection was lost may come back.
        limits: The limits of the connections.
        notes: Makes the callbacks for lost and restored connections.
    """

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
        """Return new places for a seat."""
        self._limits.expected += self._tables
        return [self._place(entry_seat, f"table {number}") for number in range(1, self._tables + 1)]

    def close(self, places: Sequence[WebsocketPlayer]) -> None:
        """Stop expecting connections for these places."""
        self._limits.expected -= len(places)

    def _place(self, entry_seat: EntrySeat, table: str) -> WebsocketPlayer:
        welcome = Welcome(
            table=table,
            seat=entry_seat.seat,
            tables=self._tables,
            event=self._event,
            commitment=self._commitment,
            session=new_session() if self._grace else "",
            grace_seconds=self._grace,
            **self._control.told(),
        )
        viewer = Viewer(entry_seat.seat, entry_seat.entry.cheat)
        place = WebsocketPlayer(viewer, welcome, self._notes(entry_seat, table=table))
        # Once one bot is known not to come, the exceptions of the others are not looked at.
        place.seated.add_done_callback(_take_note)
        return place


def _take_note(seated: asyncio.Future[None]) -> None:
    """Retrieve a future's exception, so that asyncio does not warn that nobody did."""
    if not seated.cancelled():
        seated.exception()
