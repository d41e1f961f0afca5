"""A table, one of whose seats sends what it likes: the board is played by the rules to its
end, or given up for that seat's fault."""

from __future__ import annotations

from collections import deque
from itertools import product

from bridge_arena.bridge.calls import CALLS
from bridge_arena.bridge.cards import CARDS, SUITS
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import FaultKind
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.errors import ErrorCode, ProtocolError
from bridge_arena.protocol.messages import (
    MAX_MESSAGES,
    MOST_QUESTIONS,
    MOST_THOUGHTS,
    Answer,
    AnswerClaim,
    Claim,
    ClientAction,
    Error,
    Explain,
    Leave,
    MakeCall,
    NoAction,
    PlayCard,
    Thought,
    YourTurn,
)
from bridge_arena.protocol.session import ServerSession
from bridge_arena.server.faults import MOST_LATE, MOST_STALE
from bridge_arena.server.table import Table
from tests.fuzz.room import Room, lawful
from tests.fuzz.script import Script, as_frames, next_frame, piece
from tests.fuzz.targets import session as frames

_GONE = (FaultKind.DISCONNECT, FaultKind.CRASH, FaultKind.STALL)


def check(data: bytes) -> None:
    """A board at which the seat does what the script says, then what is lawful."""
    room = Room(Script(data))
    table, seat = room.table, room.seat
    bot = _Bot(room)
    table.start(room.now)
    while table.turns or table.unchecked is not None:
        while room.others_act() is not None:
            bot.interfere()
            room.check_in_play()
        turn = table.turn_of(seat)
        if turn is not None:
            bot.act(turn)
            room.check_in_play()
    room.check_over()


class _Bot:
    """The seat that does what the script says."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.session = ServerSession()
        self.session.receive(frames.HELLO)
        # What was received and not yet judged, as a seat at the server keeps it.
        self.actions: deque[ClientAction] = deque()
        # The turn when it was first asked, and how often the seat did something at it.
        self.at: tuple[int, int] = (-1, -1)
        self.tries = 0
        # Whether to act once where somebody else is to.
        self.meddles = False

    def act(self, turn: YourTurn) -> None:
        """Do one thing at one's turn."""
        self._count_tries()
        table, room = self.room.table, self.room
        if self.actions:
            self._judge(self.actions.popleft())
        elif not room.script:
            table.act(turn.player, lawful(room.rng, turn), room.now)
        else:
            room.now += room.script.below(8)
            if room.now >= table.deadline_of(turn.player):
                table.time_out(turn.player, room.now)
            else:
                self._do(turn)

    def interfere(self) -> None:
        """Act where somebody else is to: it is refused and changes nothing."""
        room, table = self.room, self.room.table
        if not self.meddles or table.turn_of(room.seat) is not None:
            return
        self.meddles = False
        before = _state(table)
        action = self._arbitrary(1 + room.script.number())
        events = table.act(room.seat, action, room.now)
        if type(action) is Thought and not events:
            assert _state(table) == before, "a thought that is late is dropped without a word"
            return
        (event,) = events
        error = event.happening
        assert isinstance(error, Error)
        assert (error.code, error.seat) == (ErrorCode.STALE, room.seat)
        assert _state(table) == before

    def _do(self, turn: YourTurn) -> None:
        room, table = self.room, self.room.table
        script = room.script
        kind = script.below(8)
        if kind == 0:
            room.now = table.deadline_of(turn.player)
            table.time_out(turn.player, room.now)
        elif kind == 1:
            self._receive(next_frame(script, frames.good()))
        elif kind == 2:
            self._receive(script.damaged(frame([encode(self._arbitrary(turn.seq))])))
        elif kind == 3:
            count = script.below(MAX_MESSAGES + 2)
            seq = turn.seq - script.below(2)
            self._receive(frame([encode(self._arbitrary(seq))] * count))
        elif kind == 4 and script.below(16) == 0:
            table.forfeit(turn.player, script.choice(_GONE), "gone")
        elif kind in (5, 6):
            self._receive(frame([encode(self._arbitrary(turn.seq))]))
        else:
            self.meddles = kind == 4
            table.act(turn.player, lawful(room.rng, turn), room.now)

    def _receive(self, sent: bytes | str) -> None:
        try:
            self.actions.extend(self.session.receive(sent))
        except ProtocolError as error:
            room = self.room
            room.table.malformed(room.seat, str(error), room.now)

    def _judge(self, action: ClientAction) -> None:
        room = self.room
        if isinstance(action, Leave):
            room.table.forfeit(room.seat, FaultKind.REFUSED, action.reason or "the bot left")
        else:
            room.table.act(room.seat, action, room.now)

    def _arbitrary(self, seq: int) -> Answer | Thought:
        """An answer of any kind, or a thought, to this table's turn of a number."""
        script = self.room.script
        table, board = self.room.table.name, self.room.table.board.number
        kind = script.below(7)
        if kind == 5:
            text = "".join(filter(str.isprintable, script.piece().decode("utf-8", "replace")))
            return Thought(table=table, board=board, seq=seq, text=text[:500])
        if kind == 6:
            return NoAction(table=table, board=board, seq=seq, reason="none")
        if kind == 0:
            meaning = self._meaning() if script.below(2) else None
            alert = bool(script.below(2))
            call = CALLS[script.below(len(CALLS))]
            return MakeCall(
                table=table, board=board, seq=seq, call=call, alert=alert, explanation=meaning
            )
        if kind == 1:
            return PlayCard(table=table, board=board, seq=seq, card=CARDS[script.below(52)])
        if kind == 2:
            return Claim(table=table, board=board, seq=seq, tricks=script.below(14))
        if kind == 3:
            return AnswerClaim(table=table, board=board, seq=seq, accept=bool(script.below(2)))
        return Explain(table=table, board=board, seq=seq, call=script.below(32))

    def _meaning(self) -> Explanation:
        script = self.room.script
        low, high = sorted((script.below(38), script.below(38)))
        few, most = sorted((script.below(14), script.below(14)))
        return Explanation(
            script.piece().decode("utf-8", "replace")[:500],
            (low, high) if script.below(2) else None,
            {SUITS[script.below(4)]: (few, most)} if script.below(2) else {},
            bool(script.below(2)),
            bool(script.below(2)),
        )

    def _count_tries(self) -> None:
        """No seat holds up a table for ever: each action at a turn counts."""
        table = self.room.table
        at = (len(table.calls), 0 if table.play is None else len(table.play.cards))
        self.tries = self.tries + 1 if at == self.at else 0
        self.at = at
        # Two retries; questions; a claim, and an answer to it; thoughts each time that it is asked.
        asked = 3 + MOST_QUESTIONS + 1
        said = 3 * (MOST_STALE + 1) + MOST_QUESTIONS + 1 + asked * MOST_THOUGHTS + MOST_LATE
        assert self.tries <= 2 * said, "the turn does not end"


def _state(table: Table) -> tuple[object, ...]:
    """Return what an action that is refused must not change."""
    cards = 0 if table.play is None else len(table.play.cards)
    return (table.turns, table.unchecked, len(table.calls), cards, tuple(table.faults), table.score)


def seeds() -> list[bytes]:
    """Boards with lawful answers, others' frames and answers of each kind, under each policy
    of claims, in each seat."""
    lawful_only = b"\0\7" * 20
    sent = b"".join(b"\0\1" + as_frames(data) for data in frames.good() if len(data) < 999)
    answers = b"".join(
        bytes([0, 5, kind, *range(kind, 9 + kind), *piece("é♠{}\r\n".encode()), 1, 1, 1, 1, 7])
        for kind in range(5)
    )
    late = (b"\0\3\x08\1" + b"\4\1") * 20  # eight questions at once, to the turn before
    greedy = lawful_only + b"\0\5\2\x0d\0\7" * 40  # claims of all tricks
    timeouts = b"\0\0" * 40
    meddling = b"\0\4\1\0\3\1\1" * 20
    bodies = (
        b"",
        lawful_only,
        sent,
        answers,
        timeouts,
        meddling,
        late,
        greedy,
        lawful_only + answers + sent,
    )
    rooms = [*product(range(24), bodies), *product(range(24, 96), [greedy])]
    return [_head(at) + body * 3 for at, body in rooms]


def _head(at: int) -> bytes:
    """The script of a room, different for each number of up to 255."""
    return bytes([at, 0, at, at, 0, at, at, 0, at, at, 0, at, 0, at // 4 % 3])
