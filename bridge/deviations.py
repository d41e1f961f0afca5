"""Deviations: what is odd or wrong in the bridge of a recorded game, whatever its format.

The readers of each format find them; summaries count them by kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from bridge_arena.base.recorded_text import Problem, RecordedTextError
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord

Place = TypeVar("Place")
"""What a format names a place in a game by: the name of a tag, or the tag itself."""

_Place_contra = TypeVar("_Place_contra", contravariant=True)


class Kind(StrEnum):
    """The kinds of deviations from the formats and from the Laws."""

    NOT_PBN = "text that is not PBN"
    NOT_LIN = "text that is not LIN"
    # Tags of the board, the players and the play.
    LEFT_OUT = "tags left out"
    # The deal, its dealer and vulnerability.
    NO_DEAL = "no deal"
    HIDDEN_HANDS = "hidden hands"
    IMPOSSIBLE_DEAL = "impossible deal"
    IMPLIED_DEAL = "deal of the game before"
    NO_DEALER = "no dealer or vulnerability"
    # The auction.
    NOT_A_CALL = "not a call"
    INSUFFICIENT_BID = "insufficient bid"
    INADMISSIBLE_DOUBLE = "inadmissible double"
    CALL_OUT_OF_TURN = "call out of turn"
    CALL_AFTER_END = "call after the final pass"
    MISSING_PASSES = "missing passes"
    UNFINISHED_AUCTION = "unfinished auction"
    # The play.
    NOT_A_CARD = "not a card"
    CARD_NOT_HELD = "card not held"
    REVOKE = "revoke"
    WRONG_LEAD = "lead from the wrong hand"
    MISPLACED_COLUMNS = "misplaced columns"
    NO_CONTRACT = "play without contract"
    CLAIM = "claim"
    UNFINISHED_PLAY = "unfinished play"
    # Contract, result, score and the arena's tables against each other, the auction and the play.
    CONTRACT = "contract"
    RESULT = "result"
    SCORE = "score"
    FAULTS = "table of faults"
    QUESTIONS = "table of questions"
    TIMES = "table of times"
    # In LIN alone.
    OTHER_DEAL = "deal of another table"
    SHORT_HAND = "short hand"
    PLAYERS = "players"
    EXPLANATION = "explanation of no call"
    CARD_PLAYED_TWICE = "card played twice"


REMARKS = frozenset(
    {Kind.NO_DEAL, Kind.HIDDEN_HANDS, Kind.UNFINISHED_AUCTION, Kind.CLAIM, Kind.UNFINISHED_PLAY}
)
"""Kinds that are no errors: a game without errors may show them."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One deviation, with its place."""

    kind: Kind
    problem: Problem  # the place and the description
    is_accepted: bool = False  # at the table, and marked so in the file (`^I ^S ^R ^L` of PBN)

    @property
    def is_error(self) -> bool:
        """Whether something in the file, or at the table, is wrong."""
        return self.kind not in REMARKS and not self.is_accepted

    def __str__(self) -> str:
        return str(self.problem)


class NoRecordError(RecordedTextError):
    """A game that cannot be a record, or a table that holds no board, with the kind of reason."""

    def __init__(self, kind: Kind, problem: Problem) -> None:
        super().__init__(problem)
        self.kind = kind


@dataclass(slots=True)
class Meaning:
    """The interpretation of a game of a file."""

    board: Board | None  # None if the game has no complete one
    record: BoardRecord | None  # None if the game holds none
    error: NoRecordError | None  # why there is no record; it is among the deviations too
    deviations: list[Deviation]  # what is odd or wrong in the game


def records_in(
    meanings: Iterable[tuple[object, Meaning]], problems: list[Problem] | None = None
) -> Iterator[BoardRecord]:
    """Yield the records of games; a game that is none adds a problem, or raises NoRecordError."""
    for _, meaning in meanings:
        if meaning.record is not None:
            yield meaning.record
            continue
        assert meaning.error is not None
        if problems is None:
            raise meaning.error
        problems.append(meaning.error.problem)


class _Recorded(Protocol[_Place_contra]):
    """A game or table, which knows where its tags are."""

    def problem(self, reason: str, place: _Place_contra | None = None, line: int = 0, /) -> Problem:
        """Return a problem at a place or a line; by default where the game begins."""


class Deviations(Generic[Place]):
    """The deviations of one game or table, as they are noted."""

    def __init__(self, recorded: _Recorded[Place]) -> None:
        self._recorded = recorded
        self._deviations: list[Deviation] = []

    def add(
        self,
        kind: Kind,
        reason: str,
        place: Place | None = None,
        line: int = 0,
        *,
        accepted: bool = False,
    ) -> None:
        """Note a deviation at a place, which a line may make more precise; see `Deviation`."""
        problem = self._recorded.problem(reason, place, line)
        self._deviations.append(Deviation(kind, problem, accepted))

    def add_error(self, error: NoRecordError) -> None:
        """Note the reason why there is no record."""
        self._deviations.append(Deviation(error.kind, error.problem))

    def fatal(
        self, kind: Kind, reason: str, place: Place | None = None, line: int = 0
    ) -> NoRecordError:
        """Return the error to raise for a deviation that leaves no record."""
        return NoRecordError(kind, self._recorded.problem(reason, place, line))

    def __iter__(self) -> Iterator[Deviation]:
        return iter(self._deviations)
