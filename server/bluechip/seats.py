"""Who is expected to sit down over Blue Chip: by team and seat, as programs say."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bridge.seats import Seat
from protocol.bluechip.quirks import STANDARD, Quirks
from protocol.bluechip.spelling import tidy
from protocol.visibility import Viewer
from server.bluechip.player import BlueChipPlayer


class SeatRefusedError(Exception):
    """There is no such seat to take: one line says why."""


@dataclass(frozen=True, eq=False, slots=True)
class OpenSeat:
    """A seat that waits for its player, of the team that `teams` (N/S and E/W) has there;
    `seated` is done when the player is ready to start."""

    viewer: Viewer
    table: str
    teams: tuple[str, str]
    quirks: Quirks = STANDARD
    seated: asyncio.Future[BlueChipPlayer] = field(default_factory=asyncio.Future)

    @property
    def team(self) -> str:
        return self.teams[self.viewer.seat.side]


class OpenSeats:
    """The seats that programs may take, in the order in which they were offered."""

    def __init__(self) -> None:
        self._free: list[OpenSeat] = []
        # Who sits, or is about to: for the answer to those who come late.
        self._taken: list[OpenSeat] = []

    def offer(self, seat: OpenSeat) -> None:
        self._free.append(seat)

    def claim(self, team: str, seat: Seat | None) -> OpenSeat:
        """Take a free seat of a team, the first where `seat` is None. Raises
        SeatRefusedError."""
        for free in self._free:
            if _is_for(free, team) and seat in (None, free.viewer.seat):
                self._free.remove(free)
                self._taken.append(free)
                return free
        teams = {_name(each.team): each.team for each in [*self._free, *self._taken]}
        if _name(team) not in teams:
            expected = ", ".join(sorted(teams.values())) or "none"
            raise SeatRefusedError(f"team {tidy(team)[:80]!r} is not expected here ({expected})")
        if any(_is_for(each, team) and seat in (None, each.viewer.seat) for each in self._taken):
            where = "every seat" if seat is None else f"seat {seat}"
            raise SeatRefusedError(f"{where} of team {teams[_name(team)]!r} is taken")
        raise SeatRefusedError(f"team {teams[_name(team)]!r} does not sit {seat}")

    def release(self, seat: OpenSeat) -> None:
        """Its player went before it was ready: the seat is free again."""
        self._taken.remove(seat)
        self._free.insert(0, seat)


def _is_for(seat: OpenSeat, team: str) -> bool:
    return _name(seat.team) == _name(team) and not seat.seated.cancelled()


def _name(team: str) -> str:
    """What matters of a team's name."""
    return tidy(team).replace('"', "'").casefold()
