"""The record of a board that was played at one table.

Tables make it, PBN files carry it, the store keeps it, and the ledger reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat, Side


class Room(StrEnum):
    """One of the two rooms of a team match."""

    OPEN = "Open"  # the home team sits North-South
    CLOSED = "Closed"  # the home team sits East-West


class Mode(StrEnum):
    """The part of a board that its players decide; the rest is decided for them."""

    FULL = "full"  # auction and play
    BIDDING = "bidding"  # the auction; tricks and score are double dummy
    PLAY = "play"  # the play; they were given the auction


class FaultKind(StrEnum):
    """The kinds of fault that a player can commit."""

    ILLEGAL = "illegal"  # an action that the Laws do not allow
    MALFORMED = "malformed"  # a message that the protocol does not allow
    TIMEOUT = "timeout"  # no action within the time limit
    STALL = "stall"  # does not read what it is sent
    DISCONNECT = "disconnect"  # the connection is lost
    CRASH = "crash"  # the bot's process ended
    REFUSED = "refused"  # declines to play
    UNDO = "undo"  # takes back an action, and so all that came after it


FORFEITING = frozenset({FaultKind.STALL, FaultKind.DISCONNECT, FaultKind.CRASH, FaultKind.REFUSED})
"""The faults after which a player is absent, so that its side cannot play on."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a player."""

    seat: Seat
    kind: FaultKind
    action: int  # at which it happened, counted over the board's calls, then cards, from 0
    detail: str = ""  # what happened, in words


@dataclass(frozen=True, slots=True)
class Question:
    """One question about an opponent's call; the answer is the call's explanation."""

    seat: Seat  # the seat that asked
    call: int  # the index of the call in the auction, from 0
    action: int  # at which it was asked, counted over the board's calls, then cards, from 0


@dataclass(frozen=True, slots=True)
class ModelUse:
    """A bot's account of what it asked a language model about one decision."""

    questions: int = 0  # to the service, without one more whether the model agrees (`same`)
    unreadable: int = 0  # answers that named no call or card
    illegal: int = 0  # answers that named an illegal one
    failed: int = 0  # questions that got no answer
    answered: bool = False  # whether the last answer is the bot's action; else it had none
    same: bool | None = None  # whether it named the same when asked once more; None if not asked
    tokens_in: int = 0  # of all questions
    tokens_out: int = 0  # of all answers
    money: float = 0.0  # the price of the tokens, in a currency of the bot's own
    seconds: float = 0.0  # that the bot waited for the service

    @property
    def said(self) -> dict[str, Any]:
        """The parts that differ from their defaults, by name."""
        values = {part.name: (getattr(self, part.name), part.default) for part in fields(self)}
        return {name: value for name, (value, default) in values.items() if value != default}


@dataclass(frozen=True, slots=True)
class RecordedThought:
    """What a player told about one of its decisions; absent parts were not told."""

    seat: Seat
    action: int  # that it decided, counted over the board's calls, then cards, from 0
    text: str = ""  # the reasons in words
    # The calls or cards considered, as players write them, with their values to the player, on a
    # scale of the player's own.
    candidates: dict[str, float] = field(default_factory=dict, hash=False)
    layouts: int | None = None  # how many layouts of the hidden cards it looked at
    depth: int | None = None  # to which it looked ahead
    seconds: float | None = None  # that it took
    model: ModelUse | None = None  # what it asked a language model

    @property
    def said(self) -> dict[str, Any]:
        """The parts that were told, by name, as plain values."""
        parts = ("text", "candidates", "layouts", "depth", "seconds")
        said = {part: getattr(self, part) for part in parts}
        said["model"] = None if self.model is None else self.model.said
        return {part: value for part, value in said.items() if value not in (None, "", {})}


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call with the alert and explanation that came with it.

    Attributes:
        call: The call.
        alert: Whether it was alerted.
        explanation: Its meaning, if the player gave one.
    """

    call: Call
    alert: bool = False
    explanation: Explanation | None = None


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """The record of one board at one table.

    Attributes:
        board: The board.
        players: The players' names in the order N, E, S, W.
        calls: The auction, dealer's call first.
        contract: The contract; None when passed out, or when the auction was not finished.
        cards: The cards in playing order.
        tricks: The tricks taken by declarer, 0 to 13; None when passed out or unfinished.
        score: North-South's points; None for an unfinished board, which counts nowhere.
        faults: The faults at the table, in order.
        event: The event's name.
        date: The date, as YYYY.MM.DD.
        room: The room of a team match.
        home: The home team's name.
        visitors: The visiting team's name.
        mode: The part of the board that was played.
        round: The round of the event, from 1; None if it has none.
        table: The table of the event, from 1; None if it has none.
        adjusted: The side at fault for a board that could not be finished. It gets an artificial
            score of average minus, the other side average plus (Law 12C2). None if there is no such
            score.
        times: The milliseconds that each action of N, E, S and W took, in order; empty if they were
            not measured.
        match_seconds: The seconds that the board took off the match clocks of N, E, S and W, below
            0 for a gain; empty if there are no match clocks.
        scoring: The scoring method in PBN's words; empty if it is not known.
        questions: The questions that were asked at the table and answered.
        thoughts: What the players told about their decisions, in order; PBN files do not hold it.
        programs: The programs that played N, E, S and W, each with its version, as they and the
            arena named them; empty if it is not known. PBN files do not hold it.
    """

    board: Board
    players: tuple[str, str, str, str]
    calls: tuple[MadeCall, ...] = ()
    contract: Contract | None = None
    cards: tuple[Card, ...] = ()
    tricks: int | None = None
    score: int | None = None
    faults: tuple[Fault, ...] = ()
    event: str = ""
    date: str = ""
    room: Room | None = None
    home: str = ""
    visitors: str = ""
    mode: Mode = Mode.FULL
    round: int | None = None
    table: int | None = None
    adjusted: Side | None = None
    times: tuple[tuple[float, ...], ...] = ()
    match_seconds: tuple[float, ...] = ()
    scoring: str = ""
    questions: tuple[Question, ...] = ()
    thoughts: tuple[RecordedThought, ...] = ()
    programs: tuple[str, ...] = field(default=(), compare=False)

    @property
    def is_finished(self) -> bool:
        """Whether the board has a score."""
        return self.score is not None

    @property
    def is_done(self) -> bool:
        """Whether the board counts at this table: it is finished or adjusted."""
        return self.is_finished or self.adjusted is not None

    @property
    def last_at_fault(self) -> str | None:
        """The player of the last fault; None without faults."""
        return self.players[self.faults[-1].seat] if self.faults else None

    def caller(self, place: int) -> Seat:
        """Return the seat that made the call at an index of the auction, from 0."""
        return SEATS[(self.board.dealer + place) % 4]

    def play(self) -> Play:
        """Return the play of all recorded cards; raise ValueError if there is no contract."""
        if self.contract is None:
            raise ValueError(f"board {self.board.number} has no contract to play")
        play = Play(self.contract)
        play.push_all(self.cards)
        return play
