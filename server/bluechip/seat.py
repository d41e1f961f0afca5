"""A seat for programs that speak lines of text: one at a time, whatever the table."""

from __future__ import annotations

import asyncio

from bridge_arena.bridge.record import FaultKind, Question
from bridge_arena.protocol.bluechip.quirks import STANDARD, Quirks
from bridge_arena.protocol.messages import Answer, BoardStart, YourTurn
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.bluechip.player import BlueChipPlayer
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.websocket_player import Noted


class BlueChipSeat:
    """A seat of the team that `teams` (N/S and E/W) has there.

    No program can be told what happened on a board before it came. So one that is lost costs
    the board in play, and the next, which may sit down at any time, plays from the next
    `BoardStart` on.
    """

    def __init__(
        self,
        viewer: Viewer,
        teams: tuple[str, str],
        quirks: Quirks = STANDARD,
        noted: Noted | None = None,
    ) -> None:
        self.viewer = viewer
        self.teams = teams
        self.quirks = quirks
        # Done while a program sits here; when that is lost there is a new one.
        self.seated = _vacant()
        # Who plays the board in play, whether or not it is still there; None before the first,
        # and where nobody sat here when that began.
        self._playing: BlueChipPlayer | None = None
        # Whether somebody has ever sat here.
        self._known = False
        self._noted = noted

    @property
    def team(self) -> str:
        return self.teams[self.viewer.seat.side]

    @property
    def hello(self) -> str:
        """What the program is called: its team's name."""
        return f"{self.team} (Blue Chip)"

    # For the gateway: programs come and go.

    @property
    def is_connected(self) -> bool:
        return self.seated.done()

    def sit(self, player: BlueChipPlayer) -> None:
        """A program has sat down here, where nobody was."""
        self.seated.set_result(player)
        if self._known and self._noted is not None:
            self._noted("back", back=True)
        self._known = True

    def lose(self, player: BlueChipPlayer, why: str) -> None:
        """A program's connection is lost: nothing, if it is not the one that sits here."""
        if self._is_here(player):
            self._vacate()
            if self._noted is not None:
                self._noted(why, back=False)

    # For the table's driver.

    def tell(self, outgoing: Outgoing) -> None:
        if outgoing.kind is BoardStart:
            self._playing = self.seated.result() if self.is_connected else None
        if self._playing is not None:
            self._playing.tell(outgoing)

    async def flush(self) -> None:
        if self._playing is not None:
            await self._playing.flush()

    @property
    def lag(self) -> float:
        return 0.0

    async def measure_lag(self) -> None:
        """The protocol has nothing to measure it by."""

    async def act(self, turn: YourTurn) -> Answer:
        if self._playing is None:
            raise SeatFault(FaultKind.DISCONNECT, "nobody sits there")
        return await self._playing.act(turn)

    @property
    def questions(self) -> tuple[Question, ...]:
        return () if self._playing is None else self._playing.questions

    # For whoever looks after the seat.

    def part(self, reason: str) -> None:
        """Send away who played the last board; another may have come since."""
        if self._playing is not None and self._is_here(self._playing):
            self._vacate()
            self._playing.part(reason)

    async def say_goodbye(self, reason: str) -> None:
        """End the session in good order."""
        if self.is_connected:
            player = self.seated.result()
            self._vacate()
            await player.say_goodbye(reason)

    def _is_here(self, player: BlueChipPlayer) -> bool:
        return self.seated.done() and self.seated.result() is player

    def _vacate(self) -> None:
        self.seated = _vacant()


def _vacant() -> asyncio.Future[BlueChipPlayer]:
    return asyncio.get_running_loop().create_future()
