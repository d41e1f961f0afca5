"""Who is expected to sit down over Blue Chip: by team and seat, as programs say."""

from __future__ import annotations

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.bluechip.spelling import tidy
from bridge_arena.server.bluechip.seat import BlueChipSeat
from bridge_arena.server.seating import SeatRefusedError


class OpenSeats:
    """The seats that programs may take, in the order in which they were offered. A seat whose
    program is lost may be taken again."""

    def __init__(self) -> None:
        self._seats: list[BlueChipSeat] = []
        # Those that were claimed by somebody who is not yet ready to start.
        self._promised: set[BlueChipSeat] = set()

    def offer(self, seat: BlueChipSeat) -> None:
        self._seats.append(seat)

    def claim(self, team: str, seat: Seat | None) -> BlueChipSeat:
        """Promise a free seat of a team, the first where `seat` is None, until that is
        `settled`. Raises SeatRefusedError."""
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
        """Who claimed the seat sits there, or has gone before it was ready."""
        self._promised.remove(seat)


def team_key(team: str) -> str:
    """What matters of a team's name: two with the same key are the same team."""
    return tidy(team).replace('"', "'").casefold()
