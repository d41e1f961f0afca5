"""The manager's end of a client's dialogue, without I/O: lines and events in and out.

Both ends count turns, so no line but `... to lead` asks for a call or a card. A client announces
that it is ready for each line, and until then the line is held back. The protocol cannot tell a
client that a call or card was substituted for its own. If that happens, the client is out of step,
unless its own action, when it comes, is the same; it is in step again from the next `Start of
Board`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall, Question
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.protocol.bluechip.lines import (
    MEANING_LIMIT,
    NO_MEANING,
    BoardInfo,
    Called,
    Cards,
    EndOfSession,
    Explain,
    Illegal,
    Line,
    Played,
    Ready,
    Refusal,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
    Wanted,
    parse_line,
    to_bytes,
)
from bridge_arena.protocol.bluechip.spelling import STANDARD, Quirks, shown, tidy
from bridge_arena.protocol.errors import ErrorCode, ProtocolError
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardEnd,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
    Error,
    Goodbye,
    Message,
    YourTurn,
)

MOST_HELD = 512
"""The most lines that may wait for a client to be ready before it counts as out of step: more
than any board has."""

MOST_IDLE = 32
"""The most lines that a client may send while nothing is sent to it."""

_KINDS = (Ready, Called, Played, Explain)


@dataclass(slots=True)
class _Board:
    """The board in play, as its client knows it."""

    # Whether the client's answer to the open turn is still to come.
    expects_answer: bool = False
    # The answers that the table has not taken yet.
    answers: deque[MadeCall | Card] = field(default_factory=deque)
    # The answer that the table took and has not judged yet.
    given: Call | Card | None = None
    again: bool = False  # whether the open turn is asked for again
    # The calls and cards that were substituted for the client's, which it must still send itself.
    owed: deque[Call | Card] = field(default_factory=deque)
    declarer: Seat | None = None
    cards: int = 0  # the number of cards played
    calls: list[Called] = field(default_factory=list)
    # The client's questions about the opponents' calls; each is kept once, as a client may repeat
    # them without end.
    questions: dict[Question, None] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])  # that each side used


class ManagerSession:
    """The dialogue with the client in one seat.

    `teams` are the names of the N/S and the E/W team, `called` is the client's own name for its
    team, if it differs.
    """

    def __init__(
        self, seat: Seat, teams: tuple[str, str], quirks: Quirks = STANDARD, *, called: str = ""
    ) -> None:
        self.seat = seat
        self.started = False  # whether the client is ready to start, so that it may be told events
        # The reason why the client's board differs from the table's; empty while it is in step.
        self.out_of_step = ""
        self._teams = teams
        self._quirks = quirks
        self._outbox: list[bytes] = []  # the lines to send
        # The lines held back, each with what the client must be ready for; None: nothing.
        self._held: deque[tuple[Wanted | None, Line]] = deque()
        self._ready: Wanted | None = None  # what the client is ready for and has not received yet
        self._idle = 0  # the number of lines from the client since something was sent to it
        self._deaf = False  # whether the client's lines belong to a board that was abandoned
        self._board = _Board()
        # The seconds that each side used in total, and the time of the last action.
        self._total_seconds = [0.0, 0.0]
        self._since = 0.0
        self._send(Seated(seat, called or teams[seat.side]))

    # The client's lines.

    def receive(self, text: str) -> None:
        """Take in a line of the client. Raises ProtocolError: the line does not belong here."""
        self._idle += 1
        if self._idle > MOST_IDLE:
            raise ProtocolError(f"{self._idle} lines came while nothing was sent")
        line = parse_line(text, _KINDS)
        if isinstance(line, Ready):
            self._take_ready(line)
        elif not self.started:
            raise ProtocolError(f"expected '{self.seat} ready to start', received {shown(text)}")
        elif isinstance(line, Explain):
            self._explain(line)
        elif not self._deaf and not self.out_of_step:
            self._take_answer(line, text)
            self._send_held()

    def take(self) -> MadeCall | Card | None:
        """Return the client's next answer for the table to judge; None if there is none yet."""
        if not self._board.answers:
            return None
        answer = self._board.answers.popleft()
        self._board.given = _bare(answer)
        return answer

    def _take_ready(self, line: Ready) -> None:
        if line.seat != self.seat:
            raise ProtocolError(f"'{line}' is said by {self.seat}")
        if line.wanted == Wanted.TEAMS:
            if not self.started:
                self._send(Teams(*self._teams))
        elif line.wanted == Wanted.START:
            self.started = True
        elif not self.started:
            raise ProtocolError(f"expected '{self.seat} ready to start', received '{line}'")
        elif not self._deaf or line.wanted == Wanted.DEAL:
            self._deaf = False
            self._ready = line.wanted
            self._send_held()
            if self._ready is not None and self._held and not self._board.owed:
                needed, held = self._held[0]
                raise ProtocolError(
                    f"'{line}' came where '{str(held)[:40]}' waits for 'ready for {needed}'"
                )

    def _take_answer(self, line: Line, text: str) -> None:
        if isinstance(line, Called):
            is_own = line.seat == self.seat
            answer: MadeCall | Card = line.made
        else:
            assert isinstance(line, Played)
            is_own = line.seat in (None, self.seat, self.seat.partner)
            answer = line.card
        if not is_own:
            raise ProtocolError(f"{shown(text)} is said by {self.seat}")
        board = self._board
        if board.owed:
            self._ready = None
            self._compare(answer, board.owed.popleft())
        elif self._held or not (board.expects_answer or self._may_lead_ahead()):
            raise ProtocolError(f"{shown(text)} came out of turn")
        else:
            self._ready = None
            board.expects_answer = False
            board.answers.append(answer)

    def _may_lead_ahead(self) -> bool:
        """Return whether the client, having won the trick, may lead from dummy at once."""
        return (
            self._quirks.dummy_lead == "none"
            and self.seat == self._board.declarer
            and (self._board.given is not None or bool(self._board.answers))
            and len(self._board.answers) < 2
        )

    def _explain(self, line: Explain) -> None:
        board = self._board
        numbers = [
            number
            for number, called in enumerate(board.calls)
            if (called.seat, called.call) == (line.seat, line.call)
            and called.seat.side != self.seat.side
        ]
        text = ""
        if numbers:
            number = numbers[-1]
            now = len(board.calls) + board.cards
            board.questions[Question(self.seat, number, now)] = None
            text = tidy(board.calls[number].meaning[:MEANING_LIMIT])
        self._outbox.append(to_bytes(text or NO_MEANING))

    # The table's events.

    def tell(self, event: Message, now: float) -> None:
        """Take in an event that this seat may see; `now` is in seconds, by any clock."""
        # Compare types: isinstance is slow for pydantic's classes.
        if type(event) is BoardStart:
            self._start_board(event, now)
        elif type(event) is Error:
            self._tell_error(event)
        elif type(event) is Goodbye:
            self._held.clear()
            self._send(EndOfSession())
        elif type(event) is BoardEnd:
            self._end_board(event)
        elif type(event) is AuctionEnd:
            self._board.declarer = event.declarer
        elif type(event) is CallMade:
            self._tell_call(event, now)
        elif type(event) is CardPlayed:
            self._tell_card(event, now)
        elif type(event) is DummyShown:
            if event.seat != self.seat:
                self._hold(Wanted.DUMMY, Cards(None, event.hand))
        elif type(event) is YourTurn and not event.claim:
            self._ask(event)
        self._send_held()

    def data_to_send(self) -> bytes:
        """Return the bytes that are due now, if any."""
        data = b"".join(self._outbox)
        self._outbox.clear()
        return data

    @property
    def questions(self) -> tuple[Question, ...]:
        """The client's questions about calls; one repeated between two actions counts once."""
        return tuple(self._board.questions)

    @property
    def is_drained(self) -> bool:
        """Whether all lines for the client have been sent."""
        return not self._held

    def refuse(self, reason: str) -> None:
        """Tell the client what it did wrong."""
        self._send(Refusal(reason))

    def _start_board(self, event: BoardStart, now: float) -> None:
        if self.out_of_step or self._board.owed or len(self._held) > MOST_HELD:
            self._give_up_board()
        self.out_of_step = ""
        self._board = _Board()
        self._since = now
        self._hold(None, StartOfBoard())
        self._hold(Wanted.DEAL, BoardInfo(event.board, event.dealer, event.vulnerability))
        self._hold(Wanted.CARDS, Cards(self.seat, event.hand))

    def _end_board(self, event: BoardEnd) -> None:
        self._board.expects_answer = False
        passed_out = self._board.declarer is None and event.score == 0
        if self._board.cards < 52 and not passed_out:
            self._give_up_board()
        elif self._quirks.timing:
            ns, ew = map(round, self._board.seconds)
            all_ns, all_ew = map(round, self._total_seconds)
            self._hold(None, Timing(ns, all_ns, ew, all_ew))

    def _give_up_board(self) -> None:
        """Abandon the board: drop all lines, and ignore the client until `Start of Board`."""
        self._held.clear()
        self._board.answers.clear()
        self._ready = None
        self._deaf = True

    def _ask(self, event: YourTurn) -> None:
        again, self._board.again = self._board.again, False
        self._board.expects_answer = not self._board.answers
        if self._board.declarer is None or self._board.cards % 4 or again:
            return
        if event.seat == self.seat:
            self._hold(None, ToLead(self.seat))
        elif self._quirks.dummy_lead != "none":
            self._hold(None, ToLead(None if self._quirks.dummy_lead == "dummy" else event.seat))

    def _tell_call(self, event: CallMade, now: float) -> None:
        self._count_time(event.seat.side, now)
        made = MadeCall(event.call, event.alert, event.explanation)
        called = Called.from_made(event.seat, made)
        self._board.calls.append(called)
        if event.seat == self.seat:
            self._was_said(event.call)
        else:
            self._hold(Wanted.BID, called)

    def _tell_card(self, event: CardPlayed, now: float) -> None:
        self._count_time(event.seat.side, now)
        self._board.cards += 1
        if self._is_own(event.seat):
            self._was_said(event.card)
        else:
            self._hold(Wanted.CARD, Played(event.seat, event.card))

    def _tell_error(self, event: Error) -> None:
        if event.code not in (ErrorCode.ILLEGAL, ErrorCode.MALFORMED):
            return
        self._board.again = True
        if event.code == ErrorCode.ILLEGAL:
            self._board.given = None
        # A client that is out of step would take any line for the one that it waits for.
        if self.out_of_step:
            return
        if event.code == ErrorCode.MALFORMED:
            self.refuse(event.text)
        elif self._quirks.illegal:
            self._send(Illegal(self._board.declarer is not None))

    def _is_own(self, seat: Seat) -> bool:
        """Return whether the client chooses the cards of `seat`."""
        if self._board.declarer is not None and seat == self._board.declarer.partner:
            return self.seat == self._board.declarer
        return seat == self.seat

    def _was_said(self, action: Call | Card) -> None:
        """Take in an action that the table took for the client's answer."""
        board = self._board
        given, board.given = board.given, None
        board.expects_answer = False
        board.again = False
        if given is not None and _same(given, action):
            return
        if board.answers:
            self._compare(board.answers.popleft(), action)
        elif self._ready is not None or board.owed:
            self._lose_step(f"{action} was taken for its answer, which it does not know")
        else:
            board.owed.append(action)

    def _compare(self, answer: MadeCall | Card, taken: Call | Card) -> None:
        """Compare the client's late answer with the action that was taken for it."""
        said = _bare(answer)
        if not _same(said, taken):
            self._lose_step(f"it said {said} where {taken} was taken for its answer")

    def _lose_step(self, why: str) -> None:
        self.out_of_step = f"the client is out of step: {why}"
        self._held.clear()
        self._board.answers.clear()

    def _count_time(self, side: Side, now: float) -> None:
        used = max(0.0, now - self._since)
        self._board.seconds[side] += used
        self._total_seconds[side] += used
        self._since = now

    # Lines to the client.

    def _hold(self, needed: Wanted | None, line: Line) -> None:
        if not self.out_of_step:
            self._held.append((needed, line))

    def _send_held(self) -> None:
        """Send the lines for which the client is ready."""
        while self._held and not self._board.owed:
            needed, line = self._held[0]
            if needed is not None:
                if self._ready != needed:
                    return
                self._ready = None
            self._held.popleft()
            self._send(line)

    def _send(self, line: Line) -> None:
        self._idle = 0
        self._outbox.append(to_bytes(line.format(self._quirks)))


def _bare(answer: MadeCall | Card) -> Call | Card:
    return answer.call if isinstance(answer, MadeCall) else answer


def _same(first: Call | Card, second: Call | Card) -> bool:
    """Return whether two actions are the same call or card; a call and a card may be equal ints."""
    return type(first) is type(second) and first == second
