"""Who sits at a table: whatever can be told events and asked to act.

A websocket session, a bot in this process, a record that is replayed: the table's
driver knows them only as `Player`.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from bridge_arena.bridge.record import FaultKind, Question
from bridge_arena.protocol.decision import Thinker, decide, thoughts_at
from bridge_arena.protocol.messages import (
    Answer,
    BoardEvent,
    BoardStart,
    Thought,
    YourTurn,
)
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Kibitzer, Viewer
from bridge_arena.server.faults import SeatFault

UNREAD_BYTES = 64 * 1024
"""How much a client may leave unread, beyond what the network holds, before it counts as
stalled."""


class Listener(Protocol):
    """Whoever is told what happens at a table."""

    @property
    def viewer(self) -> Viewer | Kibitzer:
        """What it may see."""

    def tell(self, outgoing: Outgoing) -> None:
        """Take note of an event; what must be sent is sent by `flush`."""

    async def flush(self) -> None:
        """Send what is due."""


class Player(Listener, Protocol):
    """A seat's occupant, as the table's driver sees it."""

    @property
    def viewer(self) -> Viewer:
        """Where it sits and whether it may see everything."""

    async def act(self, turn: YourTurn) -> Answer | Thought:
        """The next action, or what is thought before it. Raises SeatFault.

        It may be cancelled and called again for the same turn, and then goes on from
        where it was: the time counts from the first call.
        """

    @property
    def lag(self) -> float:
        """How long, in seconds, a message to it and the answer take on the way."""

    async def measure_lag(self) -> None:
        """Begin to measure the lag; it takes its time, and nobody waits for it."""

    @property
    def questions(self) -> tuple[Question, ...]:
        """What it asked on this board without the table, which answers all other questions."""


class LocalPlayer:
    """A bot in this process: for tests, where no process need be started."""

    def __init__(self, viewer: Viewer, thinker: Thinker) -> None:
        self.viewer = viewer
        self._thinker = thinker
        # The board in play; None before the first.
        self.view: View | None = None
        # What it says to the open turn and is still to be taken: thoughts, then the answer.
        self._says: deque[Answer | Thought] = deque()

    def tell(self, outgoing: Outgoing) -> None:
        message = outgoing.message
        if isinstance(message, BoardStart):
            self.view = View(self.viewer.seat, message)
            self._says.clear()
        elif isinstance(message, BoardEvent) and self.view is not None:
            self.view.apply(message)

    async def flush(self) -> None:
        """Nothing is ever queued."""

    @property
    def lag(self) -> float:
        return 0.0

    async def measure_lag(self) -> None:
        """There is no network between."""

    async def act(self, turn: YourTurn) -> Answer | Thought:
        view = self.view
        if view is None:
            raise SeatFault(FaultKind.REFUSED, "asked to act before a board began")
        if not self._says:
            answer = decide(self._thinker, view, turn)
            self._says.extend([*thoughts_at(self._thinker, turn), answer])
        return self._says.popleft()

    @property
    def questions(self) -> tuple[Question, ...]:
        return ()
