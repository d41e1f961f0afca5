"""Blue Chip at both ends of a wire that loses, repeats and damages what is sent.

A client of this project's sits at a table that this project manages. What the script does
to the lines between them is no fault of either end's: they refuse it, and the board is
played to its end.
"""

from __future__ import annotations

import pickle
from collections import deque
from contextlib import suppress
from itertools import product

from bridge_arena.bridge.record import FaultKind
from bridge_arena.protocol.bluechip.client import ClientSession
from bridge_arena.protocol.bluechip.lines import FramingError, LineBuffer
from bridge_arena.protocol.bluechip.manager import ManagerSession
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import Answer, Explain, Goodbye, Message, YourTurn
from bridge_arena.protocol.visibility import Event
from tests.fuzz.room import Room, lawful
from tests.fuzz.script import Script, piece
from tests.server.tables import seen_by

TEAMS = ("Team A", "Team B")

_QUIRKS = (
    Quirks(),
    Quirks(letters="upper", card="suit-rank", card_case="lower", colon="none", stop=False),
    Quirks(dummy_lead="none", timing=False, illegal=False, infos="alert"),
    Quirks(dummy_lead="seat", explain=True, board="fixed", quotes=False),
)

_LINES = (
    b"Start of Board",
    b"End of session",
    b"Illegal card",
    b"Explain North's 1C",
    b"North plays S2",
    b"Dummy to lead",
    b"East passes",
    b"South bids 7NT Alert. [hcp 15-17]",
    b"West's cards : S A K Q. H J 10 9. D 8 7 6. C 5 4 3 2.",
    b"Dummy's cards : S A K Q. H J 10 9. D 8 7 6. C 5 4 3 2.",
    b"Board number 9. Dealer South. Both vulnerable",
    b"North ready for teams",
    b"North ready for dummy's card to trick 3",
    b'Teams : N/S : "a" E/W : "b"',
    b'North ("Team A") seated',
    b"x" * 2000,
    b"\x16\x03\x01",
)
"""Lines that are right somewhere, and two that are right nowhere."""

_MOST_READ = 64 * 1024
"""How many bytes of either direction are passed on in all: no board takes as many."""


def check(data: bytes) -> None:
    """Two boards with one seat at the other end of such a wire, and the end of the session."""
    script = Script(data)
    room = Room(script, claims=False)
    wire = _Wire(room, script)
    wire.play()
    room.next_board()
    wire.play()
    wire.manager.tell(Goodbye(), room.now)
    wire.exchange()
    assert len(pickle.dumps(wire.manager)) < 100_000
    assert len(pickle.dumps(wire.client)) < 200_000


class _Wire:
    """Both ends of one seat, and what the script does between them."""

    def __init__(self, room: Room, script: Script) -> None:
        self.room = room
        self.script = script
        quirks = script.choice(_QUIRKS)
        # Which directions are disturbed.
        self.down, self.up = ((True, True), (True, False), (False, True))[script.below(3)]
        self.manager = ManagerSession(room.seat, TEAMS, quirks)
        self.client = ClientSession(TEAMS[room.seat.side], quirks=quirks)
        self.from_manager, self.from_client = LineBuffer(), LineBuffer()
        self.complaints: deque[ProtocolError] = deque()
        # Why nothing comes from the client any more; empty while something may.
        self.gone = ""
        self.passed = 0
        self.client.connect()
        # The first line is for who gives out the seats.
        self.client.data_to_send()
        self.exchange()

    def play(self) -> None:
        """A board, to its end."""
        table = self.room.table
        self.tell(table.start(self.room.now))
        while table.turns:
            events = self.room.others_act()
            self.tell(self.act() if events is None else events)
            self.room.check_in_play()
        self.room.check_over()

    def tell(self, events: list[Event]) -> None:
        """The table's news, as far as the seat may have them."""
        for message in seen_by(self.room.seat, events):
            self.manager.tell(message, self.room.now)
        self.exchange()

    def act(self) -> list[Event]:
        """The seat's next answer or fault, as the server takes it."""
        room, table, seat = self.room, self.room.table, self.room.seat
        turn = table.turn_of(seat)
        assert turn is not None
        room.now += self.script.below(4)
        if room.now > table.deadline_of(seat):
            return table.time_out(seat, room.now)
        if self.complaints:
            return table.malformed(seat, str(self.complaints.popleft()), room.now)
        answer = self.manager.take()
        if answer is not None:
            return table.act(seat, answer_to(turn, answer), room.now)
        if self.gone:
            return table.forfeit(seat, FaultKind.DISCONNECT, self.gone)
        if self.manager.out_of_step:
            return table.malformed(seat, self.manager.out_of_step, room.now)
        if self.script:
            self._reach_manager(self.script.piece())
            self.exchange()
        if self.complaints or self.gone or self.manager.out_of_step:
            return self.act()
        room.now = table.deadline_of(seat)
        return table.time_out(seat, room.now)

    def exchange(self) -> None:
        """Pass on what both ends have to say, until they have no more."""
        while self.passed < _MOST_READ:
            down, up = self.manager.data_to_send(), self.client.data_to_send()
            if not down and not up:
                return
            self.passed += len(down) + len(up) + 1
            self._reach_client(self._disturbed(down) if self.down else down)
            self._reach_manager(self._disturbed(up) if self.up else up)

    def _disturbed(self, data: bytes) -> bytes:
        if not data:
            return data
        kind = self.script.below(16)
        if kind == 1:
            return b""
        if kind == 2:
            return data + data
        if kind == 3:
            return self.script.damaged(data)
        if kind == 4:
            return self.script.piece() + data
        if kind == 5:
            return self.script.piece() + b"\r\n" + data
        if kind == 6:
            return self.script.choice(_LINES) + b"\r\n" + data
        return data

    def _reach_manager(self, data: bytes) -> None:
        if self.gone:
            return
        try:
            for line in self.from_client.feed(data):
                try:
                    self.manager.receive(line)
                except ProtocolError as error:
                    self.complaints.append(error)
        except FramingError as error:
            self.gone = str(error)
            self.manager.refuse(self.gone)

    def _reach_client(self, data: bytes) -> None:
        with suppress(FramingError):
            for line in self.from_manager.feed(data):
                with suppress(ProtocolError):
                    self._answer(self.client.receive(line))

    def _answer(self, events: list[Message]) -> None:
        """Answer the turn that is open, and those that follow from that."""
        while events and isinstance(events[-1], YourTurn):
            turn = events[-1]
            assert self.client.view is not None
            assert self.client.view.turn is turn
            events = self.client.send(self._answer_to(turn, len(self.client.view.calls)))

    def _answer_to(self, turn: YourTurn, calls: int) -> Answer:
        """A lawful answer, and at times a question before it."""
        if calls and self.room.rng.random() < 0.1:
            return Explain(table=turn.table, board=turn.board, seq=turn.seq, call=calls - 1)
        return lawful(self.room.rng, turn)


def seeds() -> list[bytes]:
    """Boards in each seat, undisturbed, and disturbed in each way at several places."""
    heads = [
        bytes([seat, 0, 7 + seat, 1, 0, 0, 0, 0, 5 + seat, 2, 0, 0, 0, quirks, way])
        for seat, quirks, way in product(range(4), range(4), range(3))
    ]
    pieces = [b"North passes\r\nSouth plays JD\r\nEast ready for dummy\r\n", b"Start of Boa"]
    ways = [
        *(b"\1", b"\2", b"\3\0\5\2\1x", b"\4" + piece(pieces[0]), b"\5" + piece(pieces[1])),
        *(b"\6\0" + bytes([number]) for number in range(len(_LINES))),
    ]
    undisturbed = heads[::5]
    return [
        *undisturbed,
        *(
            heads[(5 * number + at) % len(heads)] + b"\0" * at + way
            for number, way in enumerate(ways)
            for at in (3, 9, 20, 50, 110)
        ),
    ]
