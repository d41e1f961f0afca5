"""A seat for programs that speak Blue Chip: one at a time, at whatever table."""

from __future__ import annotations

import asyncio

from bridge_arena.bridge.record import FaultKind, Question
from bridge_arena.protocol.bluechip.spelling import STANDARD, Quirks
from bridge_arena.protocol.messages import Answer, BoardStart, YourTurn
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.bluechip.player import BlueChipPlayer
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.websocket_player import Noted


class BlueChipSeat:
    """A seat of a team for Blue Chip programs.

    No program can be told what happened on a board before it came. So a lost connection costs the
    board in play, and the next program, which may sit down at any time, plays from the next
    `BoardStart` on.

    Args:
        viewer: The seat.
        teams: The names of the N/S and E/W teams.
        quirks: The program's variants of the protocol.
        noted: Called when a connection is lost or restored.

    Attributes:
        viewer: The seat.
        teams: The names of the N/S and E/W teams.
        quirks: The program's variants of the protocol.
        seated: Done while a program sits here.
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
        # Done while a program sits here; replaced when the program is lost.
        self.seated = _vacant()
        # The player of the board in play, connected or not; None before the first board, and if
        # nobody sat here when the board began.
        self._playing: BlueChipPlayer | None = None
        # Whether a program has ever sat here.
        self._known = False
        self._noted = noted

    @property
    def team(self) -> str:
        """The name of the seat's team."""
        return self.teams[self.viewer.seat.side]

    @property
    def hello(self) -> str:
        """The name of the program: its team's."""
        return f"{self.team} (Blue Chip)"

    # For the gateway, where programs come and go.

    @property
    def is_connected(self) -> bool:
        """Whether a program sits here."""
        return self.seated.done()

    async def until_connected(self) -> None:
        """Wait until a program sits here."""
        await asyncio.wait([self.seated])

    def sit(self, player: BlueChipPlayer) -> None:
        """Seat a program, where nobody sits."""
        self.seated.set_result(player)
        if self._known and self._noted is not None:
            self._noted("back", back=True)
        self._known = True

    def lose(self, player: BlueChipPlayer, why: str) -> None:
        """Empty the seat if it is the one of a program whose connection is lost."""
        if self._is_here(player):
            self._vacate()
            if self._noted is not None:
                self._noted(why, back=False)

    # For the table's driver.

    def tell(self, outgoing: Outgoing) -> None:
        """Pass an event on to the player of the board in play."""
        if outgoing.kind is BoardStart:
            self._playing = self.seated.result() if self.is_connected else None
        if self._playing is not None:
            self._playing.tell(outgoing)

    async def flush(self) -> None:
        """Send what is due."""
        if self._playing is not None:
            await self._playing.flush()

    @property
    def lag(self) -> float:
        """0, as the protocol does not measure it."""
        return 0.0

    async def measure_lag(self) -> None:
        """Do nothing, as the protocol does not measure it."""

    async def act(self, turn: YourTurn) -> Answer:
        """Return the player's next answer.

        Args:
            turn: The turn.

        Returns:
            The answer.

        Raises:
            SeatFault: The player fails to act, or nobody sits here.
        """
        if self._playing is None:
            raise SeatFault(FaultKind.DISCONNECT, "nobody sits there")
        return await self._playing.act(turn)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions of the player of the board in play."""
        return () if self._playing is None else self._playing.questions

    # For the owner of the seat.

    def part(self, reason: str) -> None:
        """Disconnect the player of the last board, unless another program has come since."""
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
