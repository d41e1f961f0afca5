"""The client's end of the dialogue, without I/O: lines in, events of the view and lines out.

The client counts the turns itself. It adds what a manager's lines leave out, so that a bot sees the
same events over this protocol as over the other: its own calls and cards, its turns, the ends of
auction, tricks and board.
"""

from __future__ import annotations

from enum import Enum, auto

from bridge_arena.bridge.calls import CALL_TEXTS, PASS, Call
from bridge_arena.bridge.cards import CARD_TEXTS, Card
from bridge_arena.bridge.errors import BridgeError, IllegalCallError, IllegalCardError
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.protocol.bluechip.lines import (
    MEANING_LIMIT,
    NO_MEANING,
    BoardInfo,
    Called,
    Cards,
    Connecting,
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
    read_meaning,
    to_bytes,
)
from bridge_arena.protocol.bluechip.spelling import STANDARD, Quirks, shown, tidy
from bridge_arena.protocol.errors import ErrorCode, ProtocolError
from bridge_arena.protocol.messages import (
    Answer,
    AuctionEnd,
    BoardEnd,
    BoardEvent,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
    Error,
    ExplanationGiven,
    Goodbye,
    MakeCall,
    Message,
    PlayCard,
    Stamp,
    TrickEnd,
    YourTurn,
)
from bridge_arena.protocol.messages import Explain as ProtocolExplain
from bridge_arena.protocol.view import View

TABLE = "bluechip"
"""The name of the table in events; the protocol has no such name."""

SECONDS = 60.0
"""The time of a turn in events, in seconds; the protocol does not tell it."""

_KINDS = (
    Called,
    Played,
    ToLead,
    Cards,
    Timing,
    StartOfBoard,
    BoardInfo,
    Explain,
    Illegal,
    Seated,
    Teams,
    EndOfSession,
    Refusal,
)


class _Phase(Enum):
    """The thing that the client waits for."""

    SEAT = auto()
    TEAMS = auto()
    START = auto()  # the start of a board
    INFO = auto()  # the board's number, dealer and vulnerability
    CARDS = auto()
    CALL = auto()  # another player's call
    MEANING = auto()  # the meaning of another player's call
    LEAD = auto()  # permission to lead
    CARD = auto()  # another player's card
    DUMMY = auto()  # dummy's hand
    ANSWER = auto()  # the bot's answer to the open turn


class ClientSession:
    """The client's end of the dialogue.

    `seed` is that of the boards' seeds for the bot's random choices, which the protocol does not
    have.
    """

    def __init__(
        self, team: str, seat: Seat | None = None, *, quirks: Quirks = STANDARD, seed: int = 0
    ) -> None:
        self.seat = seat  # the client's seat; until it is seated, the seat that it wants
        self.is_seated = False  # whether the manager has given it a seat
        self.view: View | None = None  # the board in play; None before the first
        self.goodbye: Goodbye | None = None  # the end of the session; None while it goes on
        self._team = team
        self._quirks = quirks
        self._key = DealKey.of_seed(seed)
        self._phase = _Phase.SEAT
        self._outbox: list[bytes] = []
        # The number, dealer and vulnerability of the board; None between boards.
        self._info: BoardInfo | None = None
        self._seq = 0  # the number of events of the board so far
        self._own: MadeCall | Card | None = None  # the client's own last call or card
        # An opponent's call for whose meaning the client has asked; None if there is none.
        self._unexplained: Called | None = None
        self._events: list[Message] = []  # the events that the caller has not received yet

    def connect(self) -> None:
        """Queue the first line."""
        self._send(Connecting(self._team, self.seat))

    def receive(self, text: str) -> list[Message]:
        """Take in a line of the manager, and return the events that it brings.

        `view` has taken them in. A `YourTurn` among them is the last, and must be answered. A line
        that does not belong here raises ProtocolError and has no effect.
        """
        if self.goodbye is not None:
            raise ProtocolError(f"{shown(text)} came after the end of the session")
        try:
            if self._phase == _Phase.MEANING:
                self._take_meaning(text)
            else:
                self._take(parse_line(text, _KINDS), text)
        except BridgeError as error:
            raise ProtocolError(str(error)) from None
        finally:
            events = self._taken_events()
        return events

    def answer(self, action: Call | MadeCall | Card) -> list[Message]:
        """Answer the open turn by a call or card, and return the events that follow from it.

        BridgeError is raised if the rules do not allow it, ValueError if no turn is open.
        """
        if self._phase != _Phase.ANSWER:
            raise ValueError("no turn is open")
        if isinstance(action, Card):
            seat = self._board.playing.turn
            self._check_card(seat, action)
            self._own = action
            self._send(Played(seat, action))
            self._card_played(seat, action)
        else:
            made = action if isinstance(action, MadeCall) else MadeCall(action)
            seat = self._board.seat
            self._call_made(seat, made)
            self._own = made
            self._send(Called.from_made(seat, made))
        self._go_on()
        return self._taken_events()

    def send(self, answer: Answer) -> list[Message]:
        """Answer the open turn by a message, and return the events that follow from it.

        A question about a call is answered from the manager's lines, and the turn is asked again.
        Raises what `answer` raises, and ValueError for a claim, which the protocol does not have.
        """
        if isinstance(answer, MakeCall):
            return self.answer(MadeCall(answer.call, answer.alert, answer.explanation))
        if isinstance(answer, PlayCard):
            return self.answer(answer.card)
        if not isinstance(answer, ProtocolExplain):
            raise ValueError(f"there is no {answer.type} in Blue Chip")  # noqa: TRY004
        if self._phase != _Phase.ANSWER:
            raise ValueError("no turn is open")
        if answer.call >= len(self._board.calls):
            raise IllegalCallError(f"call {answer.call} cannot be explained: it was not made")
        known = self._board.calls[answer.call].explanation
        self._apply(
            ExplanationGiven(
                **self._stamp(), seat=self._board.seat, call=answer.call, explanation=known
            )
        )
        self._ask()
        return self._taken_events()

    def data_to_send(self) -> bytes:
        """Return the bytes that are due now, if any."""
        data = b"".join(self._outbox)
        self._outbox.clear()
        return data

    # The manager's lines.

    def _take(self, line: Line, text: str) -> None:
        if isinstance(line, EndOfSession):
            self._give_up_board()
            self.goodbye = Goodbye(reason=text[:200])
            self._events.append(self.goodbye)
        elif isinstance(line, Refusal):
            fatal = not self.is_seated
            self._events.append(Error(code=ErrorCode.MALFORMED, text=text, fatal=fatal))
        elif isinstance(line, Seated):
            self._take_seat(line)
        elif not self.is_seated:
            raise ProtocolError(f"expected a seat, received {shown(text)}")
        elif isinstance(line, Teams):
            if self._phase == _Phase.TEAMS:
                self._wait_for(_Phase.START, Wanted.START)
        elif self._phase == _Phase.TEAMS:
            raise ProtocolError(f"expected the teams, received {shown(text)}")
        elif isinstance(line, StartOfBoard):
            self._give_up_board()
            self._wait_for(_Phase.INFO, Wanted.DEAL)
        elif isinstance(line, Explain):
            self._explain(line)
        elif isinstance(line, Illegal):
            # The manager refused a call or card that the view has taken in.
            self._events.append(Error(code=ErrorCode.ILLEGAL, text=text))
            self._give_up_board()
        elif not isinstance(line, Timing):
            self._take_step(line, text)

    def _take_step(self, line: Line, text: str) -> None:
        """Take in a line that belongs to one phase of a board only."""
        phase = self._phase
        if isinstance(line, BoardInfo) and phase == _Phase.INFO:
            self._take_info(line)
        elif isinstance(line, Cards) and phase == _Phase.CARDS:
            self._take_cards(line)
        elif isinstance(line, Called) and phase == _Phase.CALL:
            self._take_call(line, text)
        elif isinstance(line, Cards) and phase == _Phase.DUMMY:
            self._take_dummy(line)
        elif isinstance(line, ToLead) and phase == _Phase.LEAD:
            self._ask()
        elif isinstance(line, Played) and phase == _Phase.CARD:
            self._take_card(line, text)
        elif not self._is_echo(line):
            raise ProtocolError(f"{shown(text)} came where it does not belong")

    def _take_seat(self, line: Seated) -> None:
        if self._phase != _Phase.SEAT:
            raise ProtocolError(f"'{line}' came a second time")
        if self.seat not in (None, line.seat):
            raise ProtocolError(f"asked for seat {self.seat}, was given {line.seat}")
        self.seat = line.seat
        self.is_seated = True
        self._wait_for(_Phase.TEAMS, Wanted.TEAMS)

    def _take_info(self, line: BoardInfo) -> None:
        if self._quirks.board == "fixed":
            line = BoardInfo(line.number, Seat.NORTH, Vulnerability.NONE)
        self._info = line
        self._wait_for(_Phase.CARDS, Wanted.CARDS)

    def _take_cards(self, line: Cards) -> None:
        info = self._info
        assert self.seat is not None
        assert info is not None
        if line.seat != self.seat:
            raise ProtocolError(f"expected the cards of {self.seat}, received '{line}'")
        self._seq = 0
        self._own = None
        start = BoardStart(
            **self._stamp(info.number),
            dealer=info.dealer,
            vulnerability=info.vulnerability,
            hand=line.hand,
            seed=self._key.seat_seed(info.number, self.seat),
        )
        self.view = View(self.seat, start)
        self._events.append(start)
        self._go_on()

    def _take_call(self, line: Called, text: str) -> None:
        if self._is_echo(line):
            return
        turn = self._board.auction.turn
        if line.seat != turn:
            raise ProtocolError(f"expected a call by {turn}, received {shown(text)}")
        if line.seat == self._board.seat.partner:
            # Partner's explanation is for the opponents only, even if a manager tells it.
            line = Called(line.seat, line.call)
        elif self._quirks.explain and not line.meaning and line.call != PASS:
            # Nothing else comes after such a call, so that the next line is the answer.
            self._unexplained = line
            self._phase = _Phase.MEANING
            self._send(Explain(line.seat, line.call))
            return
        self._call_made(line.seat, line.made)
        self._go_on()

    def _take_meaning(self, text: str) -> None:
        line = self._unexplained
        assert line is not None
        try:
            sent = parse_line(text, (StartOfBoard, EndOfSession))
        except ProtocolError:
            explanation = read_meaning(tidy(text))
            self._phase = _Phase.CALL
            self._call_made(line.seat, MadeCall(line.call, line.alert, explanation))
            self._go_on()
        else:
            self._take(sent, text)

    def _take_dummy(self, line: Cards) -> None:
        dummy = self._board.playing.dummy
        if line.seat not in (None, dummy):
            raise ProtocolError(f"expected the cards of {dummy}, received '{line}'")
        if (line.hand & self._board.unseen) != line.hand:
            raise ProtocolError(f"'{line}' has cards that are known to be elsewhere")
        self._apply(DummyShown(**self._stamp(), seat=dummy, hand=line.hand))
        self._go_on()

    def _take_card(self, line: Played, text: str) -> None:
        play = self._board.playing
        seat = play.turn
        if self._is_echo(line):
            return
        if line.seat != seat and not (line.seat is None and seat == play.dummy):
            raise ProtocolError(f"expected a card of {seat}, received {shown(text)}")
        self._check_card(seat, line.card)
        self._card_played(seat, line.card)
        self._go_on()

    def _explain(self, line: Explain) -> None:
        view = self.view
        meaning = ""
        if view is not None and line.seat == view.seat:
            own = [made for made in view.calls_of(line.seat) if made.call == line.call]
            meaning = Called.from_made(line.seat, own[-1]).meaning if own else ""
        self._outbox.append(to_bytes(meaning[:MEANING_LIMIT] or NO_MEANING))

    def _is_echo(self, line: Line) -> bool:
        """Return whether a manager repeats the client's own last action."""
        if isinstance(line, Called):
            own = self._own
            return line.seat == self.seat and isinstance(own, MadeCall) and own.call == line.call
        return isinstance(line, Played) and isinstance(self._own, Card) and line.card == self._own

    # The board.

    @property
    def _board(self) -> View:
        assert self.view is not None
        return self.view

    def _go_on(self) -> None:
        """Continue the board until a line or the own answer is needed."""
        view = self._board
        if view.play is None:
            if view.auction.is_over:
                self._end_auction()
            elif view.auction.turn == view.seat:
                self._ask()
            else:
                self._wait_for(_Phase.CALL, Wanted.BID, view.auction.turn)
            return
        play = view.play
        if play.cards and view.dummy_hand is None:
            if view.seat != play.dummy:
                self._wait_for(_Phase.DUMMY, Wanted.DUMMY)
                return
            self._apply(DummyShown(**self._stamp(), seat=view.seat, hand=view.hand))
        if play.is_over:
            self._end_board(play.declarer_tricks)
        elif play.player != view.seat:
            whose = None if play.turn == play.dummy else play.turn
            self._wait_for(_Phase.CARD, Wanted.CARD, whose)
        elif play.led is None and (play.turn != play.dummy or self._quirks.dummy_lead != "none"):
            self._phase = _Phase.LEAD
        else:
            self._ask()

    def _ask(self) -> None:
        view = self._board
        self._phase = _Phase.ANSWER
        if view.play is None:
            seat = view.seat
            legal = [CALL_TEXTS[call] for call in view.legal_calls()]
        else:
            seat = view.play.turn
            legal = [CARD_TEXTS[card] for card in view.legal_cards()]
        self._apply(
            YourTurn(**self._stamp(), player=view.seat, seat=seat, legal=legal, seconds=SECONDS)
        )

    def _call_made(self, seat: Seat, made: MadeCall) -> None:
        self._apply(
            CallMade(
                **self._stamp(),
                seat=seat,
                call=made.call,
                alert=made.alert,
                explanation=made.explanation,
            )
        )

    def _card_played(self, seat: Seat, card: Card) -> None:
        play = self._board.playing
        tricks = len(play.tricks)
        self._apply(CardPlayed(**self._stamp(), seat=seat, card=card))
        if len(play.tricks) > tricks:
            self._apply(TrickEnd(**self._stamp(), winner=play.tricks[-1].winner))

    def _end_auction(self) -> None:
        contract = self._board.contract
        declarer = None if contract is None else contract.declarer
        self._apply(AuctionEnd(**self._stamp(), contract=str(contract or PASS), declarer=declarer))
        if contract is None:
            self._end_board(None)
        else:
            self._go_on()

    def _end_board(self, tricks: int | None) -> None:
        view = self._board
        score = score_ns(view.contract, tricks, view.vulnerability)
        self._apply(BoardEnd(**self._stamp(), tricks=tricks, score=score))
        self._info = None
        self._phase = _Phase.START

    def _give_up_board(self) -> None:
        """Abandon the board in play, if there is one."""
        if self.view is not None and self.view.result is None:
            self._apply(BoardEnd(**self._stamp()))
        self._info = None
        self._unexplained = None
        self._phase = _Phase.START

    def _check_card(self, seat: Seat, card: Card) -> None:
        """Raise IllegalCardError if it is known that `seat` may not play the card."""
        view = self._board
        hand = view.held(seat)
        if hand is not None:
            view.playing.check(card, hand)
        elif card not in view.unseen:
            raise IllegalCardError(f"{card} is illegal: {seat} cannot hold it")

    def _taken_events(self) -> list[Message]:
        """Return the events that the caller has not received yet, which it then has."""
        events, self._events = self._events, []
        return events

    def _apply(self, event: BoardEvent) -> None:
        self._board.apply(event)
        self._events.append(event)

    def _stamp(self, number: int | None = None) -> Stamp:
        self._seq += 1
        return {
            "table": TABLE,
            "board": self._board.number if number is None else number,
            "seq": self._seq,
        }

    # Lines to the manager.

    def _wait_for(self, phase: _Phase, wanted: Wanted, whose: Seat | None = None) -> None:
        """Send that the client is ready for something, and wait for it."""
        assert self.seat is not None
        trick = len(self._board.playing.tricks) + 1 if wanted == Wanted.CARD else None
        self._phase = phase
        self._send(Ready(self.seat, wanted, whose, trick))

    def _send(self, line: Line) -> None:
        self._outbox.append(to_bytes(line.format(self._quirks)))
