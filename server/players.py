"""The players at a table: whatever can be told events and asked to act.

A WebSocket session, a bot in this process, a record that is replayed: the table's driver knows them
only as `Player`.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from bridge_arena.bridge.record import FaultKind, Question
from bridge_arena.protocol.decision import LeavingError, Thinker, decide, thoughts_at
from bridge_arena.protocol.messages import Answer, BoardStart, Thought, YourTurn
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Kibitzer, Viewer
from bridge_arena.server.faults import SeatFault

UNREAD_BYTES = 64 * 1024
"""The number of bytes that a client may leave unread, beyond what the network holds, before it
counts as stalled."""


class Listener(Protocol):
    """Anybody who is told what happens at a table."""

    @property
    def viewer(self) -> Viewer | Kibitzer:
        """What the listener may see."""

    def tell(self, outgoing: Outgoing) -> None:
        """Take note of an event; `flush` sends what must be sent."""

    def flush(self) -> None:
        """Send what is due."""


class Player(Listener, Protocol):
    """The occupant of a seat, as the table's driver sees it."""

    @property
    def viewer(self) -> Viewer:
        """The seat, and whether the player may see everything."""

    async def act(self, turn: YourTurn) -> Answer | Thought:
        """Return the next action, or a thought before it. Raises SeatFault if there will be none.

        It may be cancelled and called again for the same turn, and then continues from where it
        was: the time counts from the first call.
        """

    @property
    def lag(self) -> float:
        """The round-trip time of a message and its answer, in seconds."""

    async def measure_lag(self) -> None:
        """Begin to measure the lag, without waiting for the result."""

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions of this board that the table did not answer itself."""


class Unmeasured:
    """A player whose lag nobody measures: it has no network, or no way to answer a ping."""

    @property
    def lag(self) -> float:
        return 0.0

    async def measure_lag(self) -> None:
        """Do nothing."""


class LocalPlayer(Unmeasured):
    """A bot in this process, without a connection."""

    questions: tuple[Question, ...] = ()  # the table answers all questions

    def __init__(self, viewer: Viewer, thinker: Thinker) -> None:
        self.viewer = viewer
        self._thinker = thinker
        # The board in play; None before the first.
        self.view: View | None = None
        # The bot's thoughts and then its answer to the open turn, until `act` returns them.
        self._says: deque[Answer | Thought] = deque()

    def tell(self, outgoing: Outgoing) -> None:
        # To copy the message only for its number would take most of the time.
        message = outgoing.shared
        if type(message) is BoardStart:
            self.view = View(self.viewer.seat, message)
            self._says.clear()
        elif self.view is not None:
            self.view.apply(message)

    def flush(self) -> None:
        """Do nothing, as nothing is queued."""

    async def act(self, turn: YourTurn) -> Answer | Thought:
        """Return the bot's next thought or its answer. Raises SeatFault if the bot leaves."""
        view = self.view
        if view is None:
            raise SeatFault(FaultKind.REFUSED, "asked to act before a board began")
        if not self._says:
            try:
                answer = decide(self._thinker, view, turn)
            except LeavingError as error:
                raise SeatFault(FaultKind.REFUSED, str(error)) from None
            self._says.extend([*thoughts_at(self._thinker, turn), answer])
        return self._says.popleft()
