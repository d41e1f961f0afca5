"""What is kept of a board that was played at one table.

Tables make it, PBN carries it, the store keeps it, the ledger reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat, Side


class Room(StrEnum):
    """One of the two rooms of a team match; the home team sits North-South in the
    open room and East-West in the closed room."""

    OPEN = "Open"
    CLOSED = "Closed"


class Mode(StrEnum):
    """What of a board its players decided; the rest was decided for them."""

    FULL = "full"  # auction and play
    BIDDING = "bidding"  # the auction; tricks and score are double dummy
    PLAY = "play"  # the play; they were given the auction


class FaultKind(StrEnum):
    """The vocabulary of everything a player can do wrong."""

    ILLEGAL = "illegal"  # an action that the Laws do not allow
    MALFORMED = "malformed"  # a message that the protocol does not allow
    TIMEOUT = "timeout"  # no action within the time limit
    STALL = "stall"  # does not read what it is sent
    DISCONNECT = "disconnect"  # the connection is lost
    CRASH = "crash"  # the bot's process ended
    REFUSED = "refused"  # declines to play
    UNDO = "undo"  # takes back an action, and so all that came after it


FORFEITING = frozenset({FaultKind.STALL, FaultKind.DISCONNECT, FaultKind.CRASH, FaultKind.REFUSED})
"""The faults after which a player is gone, so that its side cannot play on."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: whose, what, and at which action of the board (calls, then cards, from 0)."""

    seat: Seat
    kind: FaultKind
    action: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question: who asked what an opponent's call means, the call's place in the auction,
    and at which action of the board (calls, then cards, from 0). The answer is the call's
    explanation."""

    seat: Seat
    call: int
    action: int


@dataclass(frozen=True, slots=True)
class RecordedThought:
    """What a player said of how it decides: who, and at which action of the board (calls, then
    cards, from 0). `candidates`: calls or cards as players write them, each with what it is worth
    to the player, by a measure of its own; `layouts`: how many it looked at; `depth`: how far
    ahead; `seconds`: how long. What is absent was not said."""

    seat: Seat
    action: int
    text: str = ""
    candidates: dict[str, float] = field(default_factory=dict, hash=False)
    layouts: int | None = None
    depth: int | None = None
    seconds: float | None = None

    @property
    def said(self) -> dict[str, Any]:
        """What was said, by the names of its parts."""
        parts = ("text", "candidates", "layouts", "depth", "seconds")
        said = {part: getattr(self, part) for part in parts}
        return {part: value for part, value in said.items() if value not in (None, "", {})}


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call with the alert and explanation that came with it."""

    call: Call
    alert: bool = False
    explanation: Explanation | None = None


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """One board at one table.

    `players`: names in the order N, E, S, W. `contract`: None when passed out, or
    when the auction was not finished. `cards`: in playing order. `tricks`: taken by
    declarer, 0..13; None when passed out or unfinished. `score`: North-South's
    points; None when the board was not finished, and then it counts nowhere.
    `home`, `visitors`: the teams. `date`: YYYY.MM.DD. `mode`: what of it was played.
    `round`, `table`: of an event, from 1; None where it has none. `adjusted`: the side at
    fault for a board that could not be finished, which gets an artificial score of average
    minus, the other of average plus (Law 12C2); None where there is no such score.
    `times`: milliseconds that the actions of N, E, S and W took, in order; empty where
    they were not measured. `match_seconds`: what the board took off the match clocks of N, E,
    S, W, below 0 where they gained time; empty where there are none. `scoring`: as PBN calls it;
    empty where it is not known. `questions`: what was asked at the table, and answered.
    `thoughts`: what the players said of how they decide, in order; nothing of them is in PBN.
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

    @property
    def is_finished(self) -> bool:
        return self.score is not None

    @property
    def is_done(self) -> bool:
        """Whether the board counts at this table: finished, or adjusted."""
        return self.is_finished or self.adjusted is not None

    def caller(self, place: int) -> Seat:
        """Who made the call at a place of the auction, from 0."""
        return SEATS[(self.board.dealer + place) % 4]

    def play(self) -> Play:
        """The recorded play, replayed. Raises ValueError where there is no contract."""
        if self.contract is None:
            raise ValueError(f"board {self.board.number} has no contract to play")
        play = Play(self.contract)
        for card in self.cards:
            play.push(card)
        return play
