"""One board at one table: the judge, sans-IO.

Feed it a seat's action, or the fault that came instead, and the time; get the
events. It knows no transport and reads no clock: `server.driver` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from bridge.auction import Auction
from bridge.board import Board
from bridge.calls import CALL_TEXTS, PASS, Contract
from bridge.cards import CARD_TEXTS, Card
from bridge.errors import BridgeError, IllegalCallError, IllegalCardError
from bridge.play import Play
from bridge.record import FORFEITING, BoardRecord, Fault, FaultKind, MadeCall
from bridge.scoring import score_ns
from bridge.seats import Seat
from protocol.messages import (
    AuctionEnd,
    BoardEnd,
    CallMade,
    CardPlayed,
    DummyShown,
    Error,
    ErrorCode,
    MakeCall,
    PlayCard,
    TrickEnd,
    YourTurn,
)
from protocol.visibility import Dealt, Event
from server.clock import Clock, TimeControl
from server.faults import MOST_STALE, RETRIES, substitute_card


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one action took: whose, and milliseconds."""

    seat: Seat
    milliseconds: float


class _Stamp(TypedDict):
    """What every event of a board carries."""

    table: str
    board: int
    seq: int


class Table:
    """Plays one board. `start` it, then feed it actions and faults until `turn` is None.

    With `bidding_only` no card is played: `award` the tricks of `unplayed`, if there is
    one, when the auction is over.
    """

    def __init__(
        self,
        name: str,
        board: Board,
        seeds: tuple[int, int, int, int],
        control: TimeControl,
        *,
        bidding_only: bool = False,
    ) -> None:
        self.name = name
        self.board = board
        self.auction = Auction(board.dealer)
        self.calls: list[MadeCall] = []
        # None until the auction has ended in a contract.
        self.play: Play | None = None
        self.faults: list[Fault] = []
        # One entry for each action, in order; substitutes included.
        self.timings: list[Timing] = []
        # The turn to be answered; None before the start and when the board is over.
        self.turn: YourTurn | None = None
        # Declarer's tricks; None until the board is finished, and where it was passed out.
        self.tricks: int | None = None
        # North-South's points; None until the board is finished.
        self.score: int | None = None
        self._seeds = seeds
        self._bidding_only = bidding_only
        self._clock = Clock(control)
        # The cards that each seat still holds.
        self._hands = list(board.deal.hands)
        # Events so far; each takes the next number.
        self._seq = 0
        # Illegal or malformed answers to the turn that is open, and answers to no turn
        # since then.
        self._strikes = 0
        self._stale = 0

    @property
    def deadline(self) -> float:
        """When the seat in turn runs out of time."""
        return self._clock.deadline

    @property
    def unplayed(self) -> Contract | None:
        """The contract whose tricks are to be awarded; None where nothing is."""
        if not self._bidding_only or self.play is None or self.score is not None:
            return None
        return self.play.contract

    def record(self, players: tuple[str, str, str, str]) -> BoardRecord:
        """What was played, by whom (names in the order N, E, S, W); once `turn` is None."""
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
        )

    # Public methods: what happens at the table.

    def start(self, now: float) -> list[Event]:
        """Deal the cards and ask the dealer."""
        dealt = Dealt(self.name, self.board, self._stamp()["seq"], self._seeds)
        return [dealt, self._ask_next(now)]

    def act(self, seat: Seat, action: MakeCall | PlayCard, now: float) -> list[Event]:
        """Take a seat's answer. What answers no open turn is refused and changes nothing."""
        turn = self.turn
        asked = None if turn is None else (turn.player, turn.table, turn.board, turn.seq)
        if turn is None or asked != (seat, action.table, action.board, action.seq):
            text = f"{action.type} {action.seq} answers no open turn of {seat}"
            self._stale += 1
            if turn is not None and turn.player == seat and self._stale > MOST_STALE:
                return self._strike(FaultKind.MALFORMED, ErrorCode.MALFORMED, text, now)
            return [Error(code=ErrorCode.STALE, text=text, seat=seat, seq=action.seq)]
        try:
            return self._apply(action, now)
        except BridgeError as error:
            return self._strike(FaultKind.ILLEGAL, ErrorCode.ILLEGAL, str(error), now)

    def malformed(self, detail: str, now: float) -> list[Event]:
        """The seat in turn sent what the protocol does not allow."""
        return self._strike(FaultKind.MALFORMED, ErrorCode.MALFORMED, detail, now)

    def time_out(self, now: float) -> list[Event]:
        """The seat in turn is out of time."""
        turn = self._open_turn()
        self._note(FaultKind.TIMEOUT, f"no action within {self._clock.elapsed(now):.1f} s")
        text = "no action within the time limit"
        error = Error(code=ErrorCode.TIMEOUT, text=text, seat=turn.player, seq=turn.seq)
        return [error, *self._substitute(now)]

    def forfeit(self, seat: Seat, kind: FaultKind, detail: str) -> list[Event]:
        """A player is gone: the board is given up, without a score."""
        if kind not in FORFEITING:
            raise ValueError(f"{kind} is no reason to give up a board")
        self.faults.append(Fault(seat, kind, self._actions, detail))
        self.turn = None
        return [BoardEnd(**self._stamp())]

    def award(self, tricks: int) -> list[Event]:
        """Declarer takes so many tricks in the contract that is not to be played."""
        if self.unplayed is None:
            raise ValueError("no contract waits for its tricks")
        return [self._finish(tricks)]

    # Private methods: judging an action.

    def _apply(self, action: MakeCall | PlayCard, now: float) -> list[Event]:
        if type(action) is MakeCall:
            if self.play is not None:
                raise IllegalCallError(f"{action.call} is illegal: the auction is over")
            made = MadeCall(action.call, action.alert, action.explanation)
            return self._make_call(made, now)
        if self.play is None:
            raise IllegalCardError(f"{action.card} is illegal: the auction is not over")
        self.play.check(action.card, self._hands[self.play.turn])
        return self._play_card(self.play, action.card, now)

    def _strike(self, kind: FaultKind, code: ErrorCode, text: str, now: float) -> list[Event]:
        turn = self._open_turn()
        self._note(kind, text)
        self._strikes += 1
        self._stale = 0
        error = Error(code=code, text=text, seat=turn.player, seq=turn.seq)
        if self._strikes <= RETRIES:
            return [error, self._ask(now)]
        text = "too many faults: a call or card was substituted"
        last = Error(code=ErrorCode.SUBSTITUTED, text=text, seat=turn.player, seq=turn.seq)
        return [error, last, *self._substitute(now)]

    def _substitute(self, now: float) -> list[Event]:
        if self.play is None:
            return self._make_call(MadeCall(PASS), now)
        legal = self.play.legal_cards(self._hands[self.play.turn])
        return self._play_card(self.play, substitute_card(legal), now)

    # Private methods: what an action brings about.

    def _make_call(self, made: MadeCall, now: float) -> list[Event]:
        seat = self.auction.turn
        self.auction.push(made.call)
        self.calls.append(made)
        self._stop_clock(now)
        events: list[Event] = [
            CallMade(
                **self._stamp(),
                seat=seat,
                call=made.call,
                alert=made.alert,
                explanation=made.explanation,
            )
        ]
        if not self.auction.is_over:
            return [*events, self._ask_next(now)]
        contract = self.auction.contract
        events.append(
            AuctionEnd(
                **self._stamp(),
                contract=str(contract or PASS),
                declarer=None if contract is None else contract.declarer,
            )
        )
        if contract is None:
            return [*events, self._finish(None)]
        self.play = Play(contract)
        if self._bidding_only:
            self.turn = None
            return events
        return [*events, self._ask_next(now)]

    def _play_card(self, play: Play, card: Card, now: float) -> list[Event]:
        seat = play.turn
        self._hands[seat] = self._hands[seat].without(card)
        trick = play.push(card)
        self._stop_clock(now)
        events: list[Event] = [
            CardPlayed(
                **self._stamp(),
                seat=seat,
                card=card,
            )
        ]
        if len(play.cards) == 1:
            events.append(
                DummyShown(
                    **self._stamp(),
                    seat=play.dummy,
                    hand=self._hands[play.dummy],
                )
            )
        if trick is not None:
            events.append(
                TrickEnd(
                    **self._stamp(),
                    winner=trick.winner,
                )
            )
        if play.is_over:
            return [*events, self._finish(play.declarer_tricks)]
        return [*events, self._ask_next(now)]

    def _finish(self, tricks: int | None) -> BoardEnd:
        self.turn = None
        self.tricks = tricks
        self.score = score_ns(self.auction.contract, tricks, self.board.vulnerability)
        return BoardEnd(**self._stamp(), tricks=tricks, score=self.score)

    # Private methods: turns, clock, bookkeeping.

    def _ask_next(self, now: float) -> YourTurn:
        self._clock.start(now)
        self._strikes = 0
        self._stale = 0
        return self._ask(now)

    def _ask(self, now: float) -> YourTurn:
        if self.play is None:
            player = seat = self.auction.turn
            legal = [CALL_TEXTS[call] for call in self.auction.legal_calls()]
        else:
            player, seat = self.play.player, self.play.turn
            legal = [CARD_TEXTS[card] for card in self.play.legal_cards(self._hands[seat])]
        self.turn = YourTurn(
            **self._stamp(),
            player=player,
            seat=seat,
            legal=legal,
            seconds=round(self._clock.left(now), 3),
        )
        return self.turn

    def _open_turn(self) -> YourTurn:
        if self.turn is None:
            raise ValueError("no turn is open")
        return self.turn

    def _stop_clock(self, now: float) -> None:
        player = self._open_turn().player
        self.timings.append(Timing(player, 1000 * self._clock.elapsed(now)))

    def _note(self, kind: FaultKind, detail: str) -> None:
        self.faults.append(Fault(self._open_turn().player, kind, self._actions, detail))

    @property
    def _actions(self) -> int:
        """Calls and cards so far."""
        return len(self.calls) + (0 if self.play is None else len(self.play.cards))

    def _stamp(self) -> _Stamp:
        self._seq += 1
        return {"table": self.name, "board": self.board.number, "seq": self._seq}
