"""Programs that connect by themselves over Blue Chip, by team and seat.

The protocol has no tables: a program sits in one seat, at whatever table the event needs it. Tables
take turns with it. If one is lost, the next that takes the seat replaces it.
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
"""The name of the other side that a program is told: it may meet several, but is told only once."""


class BlueChipBots:
    """The source of Blue Chip programs.

    Args:
        limits: The limits of the connections.
        notes: Makes the callbacks for lost and restored connections.

    Attributes:
        seats: The seats that the gateway offers.
    """

    def __init__(self, limits: ConnectionLimits, notes: Notes) -> None:
        self.seats = OpenSeats()
        self._limits = limits
        self._notes = notes
        # The program at an entry's seat, or awaited there, as a seat is offered only once.
        self._seated_bots: dict[EntrySeat, SeatedBot] = {}

    @property
    def seated_bots(self) -> list[SeatedBot]:
        """The programs at their seats, or awaited there."""
        return list(self._seated_bots.values())

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        """Offer a seat to the programs of its team, unless it is offered already."""
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
        """Whether the program is connected: over Blue Chip none comes back to a board."""
        return self._seat.is_connected

    def send_away(self, why: str) -> None:
        """Tell the program why it lost its seat, and close its connection."""
        self._seat.part(f"lost its seat: {why}")
