"""Programs that connect by themselves over Blue Chip, by team and seat.

The protocol has no tables: a program is one seat, wherever the event needs it. Tables take
turns with it, and one that is lost is replaced by the next that takes the seat.
"""

from __future__ import annotations

from bridge_arena.bridge.seats import Side
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.bluechip.seat import BlueChipSeat
from bridge_arena.server.bluechip.seats import OpenSeats
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat
from bridge_arena.tournaments.play.seating.seated_bot import SeatedBot
from bridge_arena.tournaments.play.seating.websocket_seats import Notes

OPPONENTS = "Opponents"
"""What a program is told that the other side is called: it may meet several, and is told once."""


class BlueChipBots:
    """Keeps seats for them, which `seats` has for the gateway."""

    def __init__(self, limits: ConnectionLimits, notes: Notes) -> None:
        self.seats = OpenSeats()
        self._limits = limits
        self._notes = notes
        # Who is at an entry's seat, or awaited there: a seat is offered once.
        self._seated_bots: dict[EntrySeat, SeatedBot] = {}

    @property
    def seated_bots(self) -> list[SeatedBot]:
        """Who is at an entry's seat or may still come."""
        return list(self._seated_bots.values())

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        if entry_seat not in self._seated_bots:
            team = entry_seat.entry.team
            teams = (team, OPPONENTS) if entry_seat.seat.side is Side.NS else (OPPONENTS, team)
            seat = BlueChipSeat(
                Viewer(entry_seat.seat), teams, entry_seat.entry.quirks, self._notes(entry_seat)
            )
            self.seats.offer(seat)
            self._limits.expected += 1
            self._seated_bots[entry_seat] = _Program(entry_seat, seat)
        return self._seated_bots[entry_seat]


class _Program(SeatedBot):
    def __init__(self, entry_seat: EntrySeat, seat: BlueChipSeat) -> None:
        super().__init__(entry_seat, [seat])
        self._seat = seat

    @property
    def is_there(self) -> bool:
        """Nobody comes back to a board over Blue Chip."""
        return self._seat.is_connected

    def send_away(self, why: str) -> None:
        self._seat.part(f"lost its seat: {why}")
