"""A board while it is played: a board document that grows with every event that is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle.position import Position
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardEnd,
    CallMade,
    CardPlayed,
    ClaimMade,
    ClaimSettled,
    Message,
    ThoughtShown,
    TrickEnd,
)
from bridge_arena.reports.common.wording import made_text
from bridge_arena.web.board import document
from bridge_arena.web.board.of_records import LETTERS, made_call, thought_of

Change = dict[str, object]
"""The changes at a table: `calls`, `cards` and `winners` are added, values in `set` replaced."""

_Values = dict[str, object]
"""Values of a table of the document, by key."""


@dataclass(frozen=True)
class Reached:
    """A position that the play has reached."""

    step: int  # the number of actions before it
    position: Position
    declaring: Side  # declarer's side
    declarer_tricks: int  # tricks that declarer has won so far
    defence_tricks: int  # tricks that the defence has won so far

    def declarers_total(self, best: int) -> int:
        """Return declarer's tricks on the board if the side in turn still takes `best`."""
        left = 13 - self.declarer_tricks - self.defence_tricks
        is_declarers = self.position.turn.side is self.declaring
        return self.declarer_tricks + (best if is_declarers else left - best)


class LiveTable:
    """One table of a board, as far as it was shown.

    Args:
        clock: Returns the time in seconds, by which the players' thinking is measured; None if
            events come all at once.
    """

    def __init__(
        self, board: Board, table: document.Table, clock: Callable[[], float] | None = None
    ) -> None:
        self.table = table
        self.table.update({"calls": [], "cards": [], "winners": []})
        self.is_over = False
        # The positions that are not solved yet.
        self.unsolved: list[Reached] = []
        self._hands: list[Hand] = [board.deal[seat] for seat in SEATS]
        self._contract: Contract | None = None
        self._play: Play | None = None
        self._thought: document.Thought | None = None
        self._is_claimed = False
        self._clock = clock
        self._last = 0.0 if clock is None else clock()
        if clock is not None:
            self.table["clocks"] = {LETTERS[seat]: 0.0 for seat in SEATS}

    @property
    def step(self) -> int:
        """The number of calls and cards."""
        return len(self.table["calls"]) + len(self.table["cards"])

    def take(self, message: Message) -> Change | None:
        """Take an event, and return the change; None if nothing changes."""
        match message:
            case ThoughtShown():
                self._thought = thought_of(message)
                return None
            case CallMade():
                call = made_call(message.call, message.explanation, alert=message.alert)
                if self._thought is not None:
                    call["thought"] = self._thought
                self._thought = None
                self.table["calls"].append(call)
                return {"calls": [call]} | self._timed(message.seat)
            case AuctionEnd():
                return self._set(self._contract_of(message))
            case CardPlayed():
                return self._played(message)
            case TrickEnd():
                winner = LETTERS[message.winner]
                self.table["winners"].append(winner)
                return {"winners": [winner]}
            case ClaimMade():
                text = f"{message.seat.name.capitalize()} claims {message.tricks} of the tricks."
                return self._set({"remarks": [*self.table.get("remarks", []), text]})
            case ClaimSettled():
                self._is_claimed = message.accepted
                text = "The claim is accepted." if message.accepted else "The claim is refused."
                return self._set({"remarks": [*self.table.get("remarks", []), text]})
            case BoardEnd():
                return self._set(self._ended(message))
            case _:
                return None

    def _set(self, values: _Values) -> Change:
        self.table.update(cast("document.Table", values))
        return {"set": values}

    def _contract_of(self, message: AuctionEnd) -> _Values:
        if message.declarer is None:
            return {"contract": message.contract}
        self._contract = Contract.parse(message.contract, message.declarer)
        self._play = Play(self._contract)
        self._reach()
        return {"contract": message.contract, "declarer": LETTERS[message.declarer]}

    def _played(self, message: CardPlayed) -> Change:
        card = document.CardPlayed(seat=LETTERS[message.seat], card=str(message.card))
        if self._thought is not None:
            card["thought"] = self._thought
        self._thought = None
        if self._play is not None:
            self._play.push(message.card)
        self.table["cards"].append(card)
        self._reach()
        declarer = None if self._contract is None else self._contract.declarer
        is_dummys = declarer is not None and message.seat == declarer.partner
        return {"cards": [card]} | self._timed(
            declarer if is_dummys and declarer is not None else message.seat
        )

    def _timed(self, player: Seat) -> Change:
        """Add the time since the last action to a player's time."""
        if self._clock is None:
            return {}
        now = self._clock()
        clocks = self.table["clocks"]
        clocks[LETTERS[player]] = round(clocks[LETTERS[player]] + now - self._last, 2)
        self._last = now
        return {"set": {"clocks": clocks}}

    def _reach(self) -> None:
        """Note the position, as long as there is a card to choose."""
        play = self._play
        if play is None or play.is_over:
            return
        declaring = play.declarer.side
        reached = Reached(
            self.step,
            Position.of(play, self._hands),
            declaring,
            play.won[declaring],
            play.won[declaring.other],
        )
        self.unsolved.append(reached)

    def _ended(self, message: BoardEnd) -> _Values:
        self.is_over = True
        values: _Values = {}
        if message.score is None:
            return {"remarks": [*self.table.get("remarks", []), "The board was given up."]}
        values["score"] = message.score
        if self._contract is not None and message.tricks is not None:
            values["tricks"] = message.tricks
            values["result"] = made_text(self._contract, message.tricks)
            if self._is_claimed:
                values["claim"] = document.Claim(tricks=message.tricks)
        return values
