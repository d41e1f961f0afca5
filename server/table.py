"""One board at one table: the judge, without I/O.

It is fed a seat's action, or the fault that came instead, and the time, and returns the events. It
knows no transport and reads no clock: `server.driver` does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NotRequired, TypedDict

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALL_TEXTS, PASS, Contract
from bridge_arena.bridge.cards import CARD_TEXTS, Card
from bridge_arena.bridge.errors import BridgeError, IllegalCallError, IllegalCardError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import (
    FORFEITING,
    BoardRecord,
    Fault,
    FaultKind,
    MadeCall,
    Question,
    RecordedThought,
)
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.position import Position
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import (
    MOST_QUESTIONS,
    MOST_THOUGHTS,
    Answer,
    AnswerClaim,
    AnswerUndo,
    AuctionEnd,
    BoardEnd,
    CallMade,
    CardPlayed,
    Claim,
    ClaimMade,
    ClaimSettled,
    DummyShown,
    Error,
    Explain,
    ExplanationGiven,
    MakeCall,
    NoAction,
    Stamp,
    Thinking,
    Thought,
    ThoughtShown,
    TrickEnd,
    Undo,
    YourTurn,
    is_about,
)
from bridge_arena.protocol.visibility import WATCHING, Dealt, Event, Happening, Seqs
from bridge_arena.server.claims import Claims, SettledClaim
from bridge_arena.server.clock import Clock, Controls, MatchClock
from bridge_arena.server.faults import (
    LENIENT,
    MOST_LATE,
    MOST_STALE,
    IllegalAnswerError,
    MatchFaults,
    Policies,
    Remedy,
    substitute_card,
)


class Timing(NamedTuple):
    """The time that one call or card of a seat took."""

    seat: Seat
    milliseconds: float


class _Times(TypedDict):
    """The times of a `YourTurn`."""

    seconds: float
    board_seconds: NotRequired[float | None]
    match_seconds: NotRequired[float | None]


@dataclass(slots=True)
class _PendingTurn:
    """A turn that waits for its answer."""

    turn: YourTurn  # the turn as it was last asked
    strikes: int = 0  # illegal or malformed answers since it was first asked
    stale: int = 0  # answers to no open turn since then, or since the last strike
    questions: int = 0  # questions since it was first asked
    late: int = 0  # thoughts about no open turn since it was first asked
    is_refused: bool = False  # whether opponents have refused an undo since it was first asked
    thoughts: int = 0  # thoughts since it was last asked


@dataclass(slots=True)
class _OpenClaim:
    """A claim that is not settled."""

    play: Play
    tricks: int
    turn: _PendingTurn  # the turn of declarer's at which it was made
    waiting: set[Seat]  # the defenders who have not answered
    accepted: bool = True  # whether nobody has refused it so far


UNDO_SECONDS = 30.0
"""Seconds in which opponents may answer who asks to undo; then it is refused. No clock runs."""

MOST_UNDOS = 8
"""The most undos that a seat may ask for on a board, so that every board ends."""


@dataclass(slots=True)
class _OpenUndo:
    """A request to undo that is not settled."""

    seat: Seat  # that asks
    back: int  # the index of the call or card among those of the board
    said: str  # the call or card
    turn: _PendingTurn  # the turn at which it was asked
    deadline: float


class Table:
    """The play of one board: `start` it, then feed it actions and faults until no turn is open.

    Args:
        seeds: The seeds of the random choices of N, E, S and W.
        bidding_only: Whether no card is played: when the auction is over, `award` the tricks of
            `unplayed`, if there is a contract.
        policies: The consequences of faults.
        claims: Who decides whether a claim holds. If claims are checked, `settle` the claim of
            `unchecked` when there is one.
        match_clocks: The clock of each seat for all boards; None for new ones, for this board
            alone.
        match_faults: The faults of each seat on all boards; None for this board alone.
        given: An auction that is made for the players: as long as the calls follow it, nobody is
            asked but the `bidders`.
        bidders: The seats that are always asked for their calls.
        people: The seats of people, who are asked when an opponent wants to undo; bots agree.
        on_fault: Called with each fault as it happens.
    """

    def __init__(
        self,
        name: str,
        board: Board,
        seeds: tuple[int, int, int, int],
        controls: Controls,
        *,
        bidding_only: bool = False,
        policies: Policies = LENIENT,
        claims: Claims = Claims.OFF,
        match_clocks: Mapping[Seat, MatchClock] | None = None,
        match_faults: Mapping[Seat, MatchFaults] | None = None,
        given: Sequence[MadeCall] = (),
        bidders: Collection[Seat] = (),
        people: Collection[Seat] = (),
        on_fault: Callable[[Fault], None] = lambda _: None,
    ) -> None:
        self.name = name
        self.board = board
        self.faults: list[Fault] = []
        self.questions: list[Question] = []
        self.thoughts: list[RecordedThought] = []
        self.settled_claims: list[SettledClaim] = []
        # One for each call and card that was asked for, in order; substitutes included.
        self.timings: list[Timing] = []
        # Declarer's tricks; None until the board is finished, and if it was passed out.
        self.tricks: int | None = None
        # North-South's points; None until the board is finished.
        self.score: int | None = None
        self._seeds = seeds
        self._bidding_only = bidding_only
        self._policies = policies
        self._claims = claims
        self._clock = Clock(controls, match_clocks)
        self._match_faults = match_faults or {seat: MatchFaults() for seat in SEATS}
        self._given = given
        self._bidders = bidders
        self._people = people
        self._on_fault = on_fault
        # The open turns, by the player who is asked: one, or both defenders' after a claim, or both
        # opponents' of one who asks to undo.
        self._open: dict[Seat, _PendingTurn] = {}
        self._claim: _OpenClaim | None = None
        self._undo: _OpenUndo | None = None
        # The undos that each seat has asked for, agreed to or not.
        self._undos = [0] * 4
        self._lay_out()

    def _lay_out(self) -> None:
        """Set the board to its start: nothing is called or played yet."""
        self.auction = Auction(self.board.dealer)
        self.calls: list[MadeCall] = []
        # None until the auction has ended in a contract.
        self.play: Play | None = None
        # The cards that each seat still holds.
        self._hands = list(self.board.deal.hands)
        # The number of events of the board that each viewer was shown so far.
        self._seqs: Seqs = (0, 0, 0, 0, 0)
        # The number of complete tricks when the last claim was made; -1 before the first.
        self._last_claim = -1

    @property
    def turn(self) -> YourTurn | None:
        """The open turn, or the first of several.

        It is None before the start, while a claim is being checked, and when the board is over.
        """
        for pending in self._open.values():
            return pending.turn
        return None

    @property
    def only_turn(self) -> YourTurn | None:
        """The open turn if there is exactly one; else None."""
        return self.turn if len(self._open) == 1 else None

    @property
    def turns(self) -> tuple[YourTurn, ...]:
        """All open turns: after a claim, or a request to undo, there can be two at once."""
        return tuple(pending.turn for pending in self._open.values())

    def turn_of(self, seat: Seat) -> YourTurn | None:
        """Return the open turn of a seat; None if it is not asked."""
        pending = self._open.get(seat)
        return None if pending is None else pending.turn

    @property
    def deadline(self) -> float:
        """The time at which the first of the seats in turn runs out of time."""
        return min(map(self.deadline_of, self._open))

    @property
    def match_seconds(self) -> tuple[float, ...]:
        """The seconds that N, E, S and W have taken off their match clocks."""
        return self._clock.match_seconds

    def deadline_of(self, seat: Seat) -> float:
        return self._clock.deadline(seat) if self._undo is None else self._undo.deadline

    def set_lag(self, seat: Seat, seconds: float) -> None:
        self._clock.set_lag(seat, seconds)

    @property
    def unplayed(self) -> Contract | None:
        """The contract whose tricks are to be awarded; None if there is none."""
        if not self._bidding_only or self.play is None or self.score is not None:
            return None
        return self.play.contract

    @property
    def unchecked(self) -> tuple[Position, int] | None:
        """The claim that is to be checked; None if there is none.

        It is the position with declarer's side in turn, and the number of tricks that are claimed.
        """
        claim = self._claim
        if claim is None or claim.waiting:
            return None
        return Position.of(claim.play, self._hands), claim.tricks

    def record(self, players: tuple[str, str, str, str]) -> BoardRecord:
        """Return the record of the board, once it is over; a claim shows only in the result."""
        play = self.play
        return BoardRecord(
            board=self.board,
            players=players,
            calls=tuple(self.calls),
            contract=None if play is None else play.contract,
            cards=() if play is None else tuple(play.cards),
            tricks=self.tricks,
            score=self.score,
            faults=tuple(self.faults),
            questions=tuple(self.questions),
            thoughts=tuple(self.thoughts),
        )

    # Public methods: the events at the table.

    def start(self, now: float) -> list[Event]:
        """Deal the cards and ask the dealer."""
        return [self._deal(), *self._go_on(now)]

    def act(self, seat: Seat, action: Answer | Thought, now: float) -> list[Event]:
        """Take a seat's answer, or a thought before it, and return the events that follow.

        An answer to no open turn is refused and changes nothing; a thought about none is dropped.
        """
        pending = self._open.get(seat)
        is_open = pending is not None and is_about(action, pending.turn)
        if type(action) is Thought:
            return (
                [] if pending is None else self._think(seat, pending, action, now, late=not is_open)
            )
        if pending is None or not is_open:
            text = f"{action.type} {action.seq} answers no open turn of {seat}"
            if pending is not None:
                pending.stale += 1
                if pending.stale > MOST_STALE:
                    return self.malformed(seat, text, now)
            error = Error(code=ErrorCode.STALE, text=text, seat=seat, seq=action.seq)
            return [self._event(error)]
        try:
            return self._apply(seat, pending, action, now)
        except BridgeError as error:
            return self._strike(seat, FaultKind.ILLEGAL, str(error), now)

    def malformed(self, seat: Seat, detail: str, now: float) -> list[Event]:
        """Take a message of a seat in turn that the protocol does not allow."""
        return self._strike(seat, FaultKind.MALFORMED, detail, now)

    def time_out(self, seat: Seat, now: float) -> list[Event]:
        """Take note that a seat in turn is out of time; to answer an undo late is no fault."""
        if self._undo is not None:
            return self._refuse_undo(self._undo, now)
        text = f"no action within {self._clock.elapsed(seat, now):.1f} s"
        return self._strike(seat, FaultKind.TIMEOUT, text, now)

    def forfeit(self, seat: Seat, kind: FaultKind, detail: str) -> list[Event]:
        """Give up the board, without a score, as a player is gone; `detail` says why in words.

        ValueError is raised for a kind of fault for which no board is given up.
        """
        if kind not in FORFEITING:
            raise ValueError(f"{kind} is no reason to give up a board")
        return self._give_up(seat, kind, detail)

    def settle(self, now: float, *, accepted: bool) -> list[Event]:
        """Settle the claim of `unchecked`. Raises ValueError if there is none."""
        if self._claim is None or self._claim.waiting:
            raise ValueError("no claim waits to be checked")
        return self._settle(self._claim, now, accepted=accepted)

    def award(self, tricks: int) -> list[Event]:
        """Award tricks in the contract that is not to be played. Raises ValueError."""
        if self.unplayed is None:
            raise ValueError("no contract waits for its tricks")
        return [self._finish(tricks)]

    def annul(self) -> None:
        """Give its time and faults back to the match, as the board is to be played again."""
        self._clock.give_back()
        for faults in self._match_faults.values():
            faults.take_back(self.faults)

    def note_questions(self, questions: Iterable[Question]) -> None:
        """Add questions that were asked and answered elsewhere, in the order of the actions."""
        self.questions += questions
        self.questions.sort(key=lambda question: question.action)

    # Private methods: judging an action.

    def _apply(self, seat: Seat, pending: _PendingTurn, action: Answer, now: float) -> list[Event]:
        if type(action) is Explain:
            return self._explain(seat, pending, action.call, now)
        if type(action) is NoAction:
            text = f"no action: {action.reason}" if action.reason else "no action"
            if action.timeout:
                return self._strike(seat, FaultKind.TIMEOUT, text, now)
            return self._strike(seat, FaultKind.ILLEGAL, text, now, gave_up=True)
        if type(action) is AnswerClaim or type(action) is AnswerUndo:
            return self._answer(seat, pending, action, now)
        if pending.turn.claim or self._undo is not None:
            what = "claim" if pending.turn.claim else "undo"
            raise IllegalAnswerError(f"{action.type} is illegal: the {what} is to be answered")
        if type(action) is Undo:
            return self._ask_to_undo(seat, pending, now)
        if type(action) is MakeCall:
            if self.play is not None:
                raise IllegalCallError(f"{action.call} is illegal: the auction is over")
            made = MadeCall(action.call, action.alert, action.explanation)
            return self._make_call(made, now)
        if type(action) is Claim:
            return self._make_claim(seat, action.tricks, now)
        if self.play is None:
            raise IllegalCardError(f"{action.card} is illegal: the auction is not over")
        self.play.check(action.card, self._hands[self.play.turn])
        return self._play_card(self.play, action.card, now)

    def _answer(
        self, seat: Seat, pending: _PendingTurn, action: AnswerClaim | AnswerUndo, now: float
    ) -> list[Event]:
        if type(action) is AnswerClaim:
            if not pending.turn.claim:
                raise IllegalAnswerError("AnswerClaim is illegal: no claim was made")
            return self._answer_claim(seat, now, accept=action.accept)
        if self._undo is None:
            raise IllegalAnswerError("AnswerUndo is illegal: nobody asks to undo")
        return self._answer_undo(self._undo, seat, now, accept=action.accept)

    def _strike(
        self, seat: Seat, kind: FaultKind, text: str, now: float, *, gave_up: bool = False
    ) -> list[Event]:
        """Note a fault, and ask the seat again unless it is out of time, lost or `gave_up`."""
        code = ErrorCode.SUBSTITUTED if gave_up else ErrorCode(kind)
        pending = self._pending_turn(seat)
        self._note(seat, kind, text)
        pending.strikes += 1
        pending.stale = 0
        error = self._event(Error(code=code, text=text, seat=seat, seq=pending.turn.seq))
        lost = self._lost_after(seat, kind, now)
        if lost is not None:
            if self._undo is None:  # else the seat's clock does not run
                self._clock.stop(seat, now)
            return [error, *self._give_up(seat, FaultKind.REFUSED, lost)]
        if gave_up or kind is FaultKind.TIMEOUT:
            return [error, *self._substitute(seat, now)]
        if pending.strikes <= self._policies.retries:
            return [error, self._ask(seat, now, pending)]
        text = "too many faults: a call, card or answer was substituted"
        last = Error(code=ErrorCode.SUBSTITUTED, text=text, seat=seat, seq=pending.turn.seq)
        return [error, self._event(last), *self._substitute(seat, now)]

    def _substitute(self, seat: Seat, now: float) -> list[Event]:
        if self._undo is not None:
            return self._answer_undo(self._undo, seat, now, accept=False)
        if self._pending_turn(seat).turn.claim:
            return self._answer_claim(seat, now, accept=False)
        if self.play is None:
            return self._make_call(MadeCall(PASS), now)
        legal = self.play.legal_cards(self._hands[self.play.turn])
        return self._play_card(self.play, substitute_card(legal), now)

    def _lost_after(self, seat: Seat, kind: FaultKind, now: float) -> str | None:
        """Return why a seat is lost after a fault; None if it may play on."""
        policies = self._policies
        forfeits = kind is FaultKind.TIMEOUT and policies.at_zero is Remedy.FORFEIT
        if forfeits and self._clock.is_used_up(seat, now):
            return "its time is used up"
        return self._match_faults[seat].over_limit(kind, policies)

    # Private methods: the consequences of an action.

    def _explain(self, seat: Seat, pending: _PendingTurn, number: int, now: float) -> list[Event]:
        """Answer a question with the explanation that the caller gave with the call (Law 20F)."""
        if number >= len(self.calls):
            raise IllegalAnswerError(
                f"call {number} cannot be explained: {len(self.calls)} calls were made"
            )
        if SEATS[(self.board.dealer + number) & 3].side == seat.side:
            raise IllegalAnswerError(f"call {number} was not made by an opponent (Law 20F)")
        if pending.questions == MOST_QUESTIONS:
            raise IllegalAnswerError(f"{MOST_QUESTIONS} explanations were asked for at this turn")
        pending.questions += 1
        self.questions.append(Question(seat, number, self._actions))
        given = ExplanationGiven(
            **self._stamp(seat), seat=seat, call=number, explanation=self.calls[number].explanation
        )
        return [self._event(given), self._ask(seat, now, pending)]

    def _think(
        self, seat: Seat, pending: _PendingTurn, thought: Thought, now: float, *, late: bool
    ) -> list[Event]:
        """Record a thought, which nobody at the table is told."""
        if late:
            pending.late += 1
            if pending.late <= MOST_LATE:
                return []
            return self.malformed(seat, f"more than {MOST_LATE} thoughts came too late", now)
        pending.thoughts += 1
        if pending.thoughts > MOST_THOUGHTS:
            return self.malformed(seat, f"more than {MOST_THOUGHTS} thoughts at one turn", now)
        recorded = RecordedThought(seat, self._actions, **_thinking(thought))
        self.thoughts.append(recorded)
        return [self._show(recorded)]

    def _show(self, thought: RecordedThought) -> Event:
        shown = ThoughtShown(
            **self._stamp(WATCHING), seat=thought.seat, action=thought.action, **_thinking(thought)
        )
        return self._event(shown)

    @property
    def _said(self) -> list[MadeCall | Card]:
        """The calls and cards so far; given calls come first, and have no timings."""
        return [*self.calls, *(self.play.cards if self.play else ())]

    def _ask_to_undo(self, seat: Seat, pending: _PendingTurn, now: float) -> list[Event]:
        """Ask the opponents who are people whether a seat may take its last call or card back."""
        said = self._said
        first = len(said) - len(self.timings)
        own = [place for place, timing in enumerate(self.timings, first) if timing.seat == seat]
        if not own:
            raise IllegalAnswerError("Undo is illegal: there is nothing to take back")
        if pending.is_refused:
            return [self._ask(seat, now, pending)]
        if self._undos[seat] == MOST_UNDOS:
            raise IllegalAnswerError(
                f"Undo is illegal: a seat may ask for it {MOST_UNDOS} times on a board"
            )
        self._undos[seat] += 1
        opponents = [person for person in self._people if person.side != seat.side]
        last = said[own[-1]]
        name = str(last.call if isinstance(last, MadeCall) else last)
        if not opponents:
            return self._take_back(seat, own[-1], name, now)
        self._clock.hold(seat, now)
        turn, deadline = self._open.pop(seat), now + UNDO_SECONDS
        self._undo = _OpenUndo(seat, own[-1], name, turn, deadline)
        return [self._ask(opponent, now) for opponent in opponents]

    def _answer_undo(self, undo: _OpenUndo, seat: Seat, now: float, *, accept: bool) -> list[Event]:
        """Count an opponent's answer: one refusal settles it, else the last one to agree."""
        del self._open[seat]
        if not accept:
            return self._refuse_undo(undo, now)
        if self._open:
            return []
        self._close_undo(undo, now)
        return self._take_back(undo.seat, undo.back, undo.said, now)

    def _refuse_undo(self, undo: _OpenUndo, now: float) -> list[Event]:
        """Go on as if nobody had asked, and tell those who have not answered that it is over."""
        text = "what the opponents asked to take back stays"
        events = [
            self._event(
                Error(code=ErrorCode.SUBSTITUTED, text=text, seat=seat, seq=pending.turn.seq)
            )
            for seat, pending in self._open.items()
        ]
        self._close_undo(undo, now)
        undo.turn.is_refused = True
        return [*events, self._ask(undo.seat, now, undo.turn)]

    def _close_undo(self, undo: _OpenUndo, now: float) -> None:
        """Give the turn back to who asks to undo."""
        self._undo = None
        self._open = {undo.seat: undo.turn}
        self._clock.go_on(undo.seat, now)

    def _take_back(self, seat: Seat, back: int, name: str, now: float) -> list[Event]:
        """Restore the board as it was before a call or card of a seat, and ask the seat again.

        Of what came after, only faults and claims are kept.
        """
        said = self._said
        first = len(said) - len(self.timings)
        del self._open[seat]
        self._clock.stop(seat, now, increment=False)
        self._lay_out()
        del self.timings[back - first :]
        self.thoughts = [thought for thought in self.thoughts if thought.action < back]
        self.questions = [question for question in self.questions if question.action <= back]
        events = [self._deal()]
        for place, action in enumerate(said[:back]):
            events += [self._show(thought) for thought in self.thoughts if thought.action == place]
            events += self._again(action)
        self._note(seat, FaultKind.UNDO, f"took back {name}")
        return [*events, self._ask_next(now)]

    def _again(self, said: MadeCall | Card) -> list[Event]:
        """Repeat a call or card, and return its events."""
        if not isinstance(said, MadeCall):
            assert self.play is not None
            return self._lay(self.play, said)
        called = self._call(said)
        return [called, self._end_auction()] if self.auction.is_over else [called]

    def _deal(self) -> Event:
        self._stamp()
        return self._event(Dealt(self.name, self.board, self._seeds))

    def _make_call(self, made: MadeCall, now: float) -> list[Event]:
        seat = self.auction.turn
        called = self._call(made)
        self._close(seat, now, timed=True)
        return [called, *self._go_on(now)]

    def _go_on(self, now: float) -> list[Event]:
        """Make the calls that are given next, and ask the player whose turn it then is."""
        events: list[Event] = []
        while self._next_is_given:
            events.append(self._call(self._given[len(self.calls)]))
        if not self.auction.is_over:
            return [*events, self._ask_next(now)]
        events.append(self._end_auction())
        if self.play is None:
            return [*events, self._finish(None)]
        if self._bidding_only:
            return events
        return [*events, self._ask_next(now)]

    def _end_auction(self) -> Event:
        contract = self.auction.contract
        if contract is not None:
            self.play = Play(contract)
        ended = AuctionEnd(
            **self._stamp(),
            contract=str(contract or PASS),
            declarer=None if contract is None else contract.declarer,
        )
        return self._event(ended)

    @property
    def _next_is_given(self) -> bool:
        """Whether the next call is given, as the auction has followed the given one."""
        return (
            len(self.calls) < len(self._given)
            and self.auction.turn not in self._bidders
            and all(
                made.call == given.call
                for made, given in zip(self.calls, self._given, strict=False)
            )
        )

    def _call(self, made: MadeCall) -> Event:
        """Make a call. Raises IllegalCallError."""
        seat = self.auction.turn
        self.auction.push(made.call)
        self.calls.append(made)
        called = CallMade(
            **self._stamp(),
            seat=seat,
            call=made.call,
            alert=made.alert,
            explanation=made.explanation,
        )
        return self._event(called)

    def _play_card(self, play: Play, card: Card, now: float) -> list[Event]:
        player = play.player
        events = self._lay(play, card)
        self._close(player, now, timed=True)
        if play.is_over:
            return [*events, self._finish(play.declarer_tricks)]
        return [*events, self._ask_next(now)]

    def _lay(self, play: Play, card: Card) -> list[Event]:
        """Put a card on the table."""
        seat = play.turn
        self._hands[seat] = self._hands[seat].without(card)
        trick = play.push(card)
        events = [self._event(CardPlayed(**self._stamp(), seat=seat, card=card))]
        if len(play.cards) == 1:
            hand = self._hands[play.dummy]
            events.append(self._event(DummyShown(**self._stamp(), seat=play.dummy, hand=hand)))
        if trick is not None:
            events.append(self._event(TrickEnd(**self._stamp(), winner=trick.winner)))
        return events

    def _make_claim(self, seat: Seat, tricks: int, now: float) -> list[Event]:
        if (why := self._why_no_claim(seat)) is not None:
            raise IllegalAnswerError(f"a claim is illegal: {why}")
        play = self.play
        assert play is not None
        left = 13 - len(play.tricks)
        if tricks > left:
            raise IllegalAnswerError(f"a claim of {tricks} tricks is illegal: {left} are left")
        self._last_claim = len(play.tricks)
        self._clock.hold(seat, now)
        defenders = [defender for defender in SEATS if defender.side != seat.side]
        answering = defenders if self._claims is Claims.PLAYERS else []
        self._claim = _OpenClaim(play, tricks, self._open.pop(seat), set(answering))
        made = ClaimMade(**self._stamp(), seat=seat, tricks=tricks, hand=self._hands[seat])
        events = [self._event(made)]
        for defender in answering:
            self._clock.start(defender, now)
            events.append(self._ask(defender, now))
        return events

    def _why_no_claim(self, seat: Seat) -> str | None:
        """Return why a seat may not claim now; None if it may."""
        if self._claims is Claims.OFF:
            return "there are no claims at this table"
        if self.play is None:
            return "the auction is not over"
        if seat != self.play.declarer:
            return f"{seat} is not declarer"
        if self._last_claim == len(self.play.tricks):
            return "one was made in this trick"
        return None

    def _answer_claim(self, seat: Seat, now: float, *, accept: bool) -> list[Event]:
        """Count the answer of a defender; once both have answered, settle the claim."""
        claim = self._claim
        assert claim is not None
        self._close(seat, now)
        claim.waiting.remove(seat)
        claim.accepted = claim.accepted and accept
        return [] if claim.waiting else self._settle(claim, now, accepted=claim.accepted)

    def _settle(self, claim: _OpenClaim, now: float, *, accepted: bool) -> list[Event]:
        self._claim = None
        play = claim.play
        settled = self._event(ClaimSettled(**self._stamp(), accepted=accepted))
        self.settled_claims.append(
            SettledClaim(play.declarer, claim.tricks, len(play.cards), accepted)
        )
        self._clock.go_on(play.declarer, now)
        if not accepted:
            return [settled, self._ask(play.declarer, now, claim.turn)]
        self._clock.stop(play.declarer, now)
        return [settled, self._finish(play.declarer_tricks + claim.tricks)]

    def _give_up(self, seat: Seat, kind: FaultKind, detail: str) -> list[Event]:
        self._note(seat, kind, detail)
        self._open.clear()
        self._claim = self._undo = None
        return [self._event(BoardEnd(**self._stamp()))]

    def _finish(self, tricks: int | None) -> Event:
        self.tricks = tricks
        self.score = score_ns(self.auction.contract, tricks, self.board.vulnerability)
        return self._event(BoardEnd(**self._stamp(), tricks=tricks, score=self.score))

    # Private methods: turns, clock, bookkeeping.

    def _ask_next(self, now: float) -> Event:
        player = self.auction.turn if self.play is None else self.play.player
        self._clock.start(player, now)
        return self._ask(player, now)

    def _ask(self, player: Seat, now: float, pending: _PendingTurn | None = None) -> Event:
        """Ask a player, for the first time or, with `pending`, again about that turn."""
        play, claim, undo = self.play, self._claim is not None, self._undo
        if claim or undo is not None:
            seat, legal = player, []
        elif play is None:
            seat, legal = player, [CALL_TEXTS[call] for call in self.auction.legal_calls()]
        else:
            seat = play.turn
            legal = [CARD_TEXTS[card] for card in play.legal_cards(self._hands[seat])]
        turn = YourTurn(
            **self._stamp(player),
            player=player,
            seat=seat,
            legal=legal,
            **self._times(player, now),
            may_claim=not claim and undo is None and self._why_no_claim(player) is None,
            claim=claim,
            undo=None if undo is None else undo.said,
        )
        if pending is None:
            self._open[player] = _PendingTurn(turn)
        else:
            pending.turn = turn
            pending.thoughts = 0
            self._open[player] = pending
        return self._event(turn)

    def _times(self, player: Seat, now: float) -> _Times:
        """Return the times that a player who is asked has left."""
        if self._undo is not None:
            return _Times(seconds=round(max(0.0, self._undo.deadline - now), 3))
        return _Times(
            seconds=round(self._clock.left(player, now), 3),
            board_seconds=_rounded(self._clock.left_on_board(player, now)),
            match_seconds=_rounded(self._clock.left_in_match(player, now)),
        )

    def _pending_turn(self, seat: Seat) -> _PendingTurn:
        pending = self._open.get(seat)
        if pending is None:
            raise ValueError(f"no turn of {seat} is open")
        return pending

    def _close(self, player: Seat, now: float, *, timed: bool = False) -> None:
        """Close the turn of a player who has answered; `timed` by a call or card."""
        del self._open[player]
        if timed:
            self.timings.append(Timing(player, 1000 * self._clock.elapsed(player, now)))
        self._clock.stop(player, now)

    def _note(self, seat: Seat, kind: FaultKind, detail: str) -> None:
        fault = Fault(seat, kind, self._actions, detail)
        self.faults.append(fault)
        self._match_faults[seat].add(fault)
        self._on_fault(fault)

    @property
    def _actions(self) -> int:
        """The number of calls and cards so far."""
        return len(self.calls) + (0 if self.play is None else len(self.play.cards))

    def _stamp(self, viewer: Seat | int | None = None) -> Stamp:
        """Count an event that all are shown, or only one `viewer`, and return its fields.

        The number in the fields is the one by which that viewer, or those `WATCHING`, know the
        event.
        """
        if viewer is None:
            seqs = [seq + 1 for seq in self._seqs]
        else:
            seqs = list(self._seqs)
            seqs[viewer] += 1
        self._seqs = tuple(seqs)
        seq = seqs[WATCHING if viewer is None else viewer]
        return {"table": self.name, "board": self.board.number, "seq": seq}

    def _event(self, happening: Happening) -> Event:
        """Return the event of what just happened, which was counted if it belongs to the board."""
        return Event(happening, self._seqs)


def _thinking(thought: Thought | RecordedThought) -> dict[str, Any]:
    """Return the parts of a thought, without the seat and the action."""
    return {part: getattr(thought, part) for part in Thinking.model_fields}


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)
