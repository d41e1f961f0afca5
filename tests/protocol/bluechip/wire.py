"""Both ends of the protocol joined without a wire, at a table of the test's own."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.bluechip.client import ClientSession
from bridge_arena.protocol.bluechip.lines import LineBuffer
from bridge_arena.protocol.bluechip.manager import ManagerSession
from bridge_arena.protocol.bluechip.spelling import STANDARD, Quirks
from bridge_arena.protocol.decision import Thinker, answer_to, decide
from bridge_arena.protocol.messages import BoardStart, Goodbye, Message, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.table import Table
from tests.server.tables import seen_by, turn_of

TEAMS = ("Team A", "Team B")


def lines(data: bytes) -> list[str]:
    """Return what was sent, line by line."""
    return list(LineBuffer().feed(data))


class Wire:
    """A seat: the manager's end, the client's end, and who thinks there."""

    def __init__(
        self,
        seat: Seat,
        thinker: Thinker,
        quirks: Quirks = STANDARD,
        managers: Quirks | None = None,
    ) -> None:
        """`managers`: the manager's quirks, where they are not the client's."""
        self.seat = seat
        self.thinker = thinker
        self.manager = ManagerSession(seat, TEAMS, quirks if managers is None else managers)
        self.client = ClientSession(TEAMS[seat.side], quirks=quirks)
        # Every line in both directions, as `> line` to the client and `< line` from it.
        self.heard: list[str] = []
        # What the client was told, and the view of each board.
        self.events: list[Message] = []
        self.views: list[View] = []
        # What the manager was told.
        self.told: list[Message] = []
        self.client.connect()
        self.client.data_to_send()
        self.exchange()

    def exchange(self) -> None:
        """Pass lines to and fro until neither end has more to say."""
        while True:
            down = lines(self.manager.data_to_send())
            for line in down:
                self.heard.append(f"> {line}")
                self._take(self.client.receive(line))
            up = lines(self.client.data_to_send())
            for line in up:
                self.heard.append(f"< {line}")
                self.manager.receive(line)
            if not down and not up:
                return

    def _take(self, events: list[Message]) -> None:
        waiting = deque(events)
        while waiting:
            event = waiting.popleft()
            self.events.append(event)
            view = self.client.view
            if isinstance(event, BoardStart) and view is not None:
                self.views.append(view)
            elif isinstance(event, YourTurn) and view is not None:
                assert view.turn is event
                waiting.extend(self.client.send(decide(self.thinker, view, event)))


class Room:
    """Four wires at tables."""

    def __init__(
        self,
        thinkers: Mapping[Seat, Thinker],
        quirks: Mapping[Seat, Quirks] | None = None,
        managers: Quirks | None = None,
    ) -> None:
        self.now = 0.0
        self.wires = {
            seat: Wire(seat, thinkers[seat], (quirks or {}).get(seat, STANDARD), managers)
            for seat in SEATS
        }

    def play(self, board: Board) -> Table:
        """Play a board to its end."""
        table = self.open(board)
        while table.turn is not None:
            self.act(table)
        return table

    def open(
        self, board: Board, *, bidding_only: bool = False, claims: Claims = Claims.OFF
    ) -> Table:
        """Begin a board."""
        table = Table(
            "A1",
            board,
            (1, 2, 3, 4),
            TimeControl(60.0),
            bidding_only=bidding_only,
            claims=claims,
        )
        self.tell(table.start(self.now))
        return table

    def act(self, table: Table) -> None:
        """The seat in turn gives the answer that its client has sent, after a second."""
        turn = turn_of(table)
        action = self.wires[turn.player].manager.take()
        assert action is not None
        self.now += 1.0
        self.tell(table.act(turn.player, answer_to(turn, action), self.now))

    def tell(self, events: list[Event]) -> None:
        """Tell every client what it may see."""
        for seat, wire in self.wires.items():
            for message in seen_by(seat, events):
                wire.told.append(message)
                wire.manager.tell(message, self.now)
            wire.exchange()

    def end(self) -> None:
        for wire in self.wires.values():
            wire.manager.tell(Goodbye(), self.now)
            wire.exchange()
