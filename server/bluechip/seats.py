"""The seats that are open to Blue Chip programs, by team and seat, as programs name them."""

from __future__ import annotations

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.bluechip.spelling import tidy
from bridge_arena.server.bluechip.seat import BlueChipSeat
from bridge_arena.server.seating import SeatRefusedError


class OpenSeats:
    """The seats that programs may take, in the order in which they were offered.

    A seat whose program is lost may be taken again.
    """

    def __init__(self) -> None:
        self._seats: list[BlueChipSeat] = []
        # The seats that were claimed by a program that is not ready to start yet.
        self._promised: set[BlueChipSeat] = set()

    def offer(self, seat: BlueChipSeat) -> None:
        """Open a seat."""
        self._seats.append(seat)

    def claim(self, team: str, seat: Seat | None) -> BlueChipSeat:
        """Reserve a free seat of a team until it is `settled`.

        Args:
            team: The name of the team.
            seat: The seat; None for the first that is free.

        Returns:
            The seat.

        Raises:
            SeatRefusedError: The team is not expected there, or its seats are taken.
        """
        for_team = [each for each in self._seats if team_key(each.team) == team_key(team)]
        wanted = [each for each in for_team if seat in (None, each.viewer.seat)]
        for each in wanted:
            if not each.is_connected and each not in self._promised:
                self._promised.add(each)
                return each
        if not for_team:
            expected = ", ".join(sorted({each.team for each in self._seats})) or "none"
            raise SeatRefusedError(f"team {tidy(team)[:80]!r} is not expected here ({expected})")
        name = for_team[0].team
        if not wanted:
            raise SeatRefusedError(f"team {name!r} does not sit {seat}")
        where = "every seat" if seat is None else f"seat {seat}"
        raise SeatRefusedError(f"{where} of team {name!r} is taken")

    def settled(self, seat: BlueChipSeat) -> None:
        """End the reservation of a seat: the program sits there, or left before it was ready."""
        self._promised.remove(seat)


def team_key(team: str) -> str:
    """Return the key of a team's name: two names with the same key are the same team."""
    return tidy(team).replace('"', "'").casefold()
