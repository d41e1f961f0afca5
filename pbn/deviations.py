"""What can be odd about the bridge in a game, by name.

`pbn.read.meaning` finds it; a kind is what summaries count by.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bridge_arena.pbn.model import Game, PbnError, Problem


class Kind(StrEnum):
    """The kinds of deviations from a game as PBN and the Laws would have it."""

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
    # Tags against each other, the auction and the play.
    CONTRACT = "contract"
    RESULT = "result"
    SCORE = "score"
    FAULTS = "table of faults"
    QUESTIONS = "table of questions"
    TIMES = "table of times"


REMARKS = frozenset(
    {
        Kind.NO_DEAL,
        Kind.HIDDEN_HANDS,
        Kind.UNFINISHED_AUCTION,
        Kind.CLAIM,
        Kind.UNFINISHED_PLAY,
    }
)
"""Kinds that a game without any error may show."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One deviation, and where it is.

    `is_accepted`: it happened at the table, was accepted there and is marked so in the
    file (`^I ^S ^R ^L`).
    """

    kind: Kind
    problem: Problem
    is_accepted: bool = False

    @property
    def is_error(self) -> bool:
        """Whether something in the file, or at the table, is wrong."""
        return self.kind not in REMARKS and not self.is_accepted

    def __str__(self) -> str:
        return str(self.problem)


class NoRecordError(PbnError):
    """A game that cannot be a record, and the kind of the reason."""

    def __init__(self, kind: Kind, problem: Problem) -> None:
        super().__init__(problem)
        self.kind = kind


class Deviations:
    """Collects what is found in one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: list[Deviation] = []

    def add(
        self, kind: Kind, reason: str, name: str = "", line: int = 0, *, accepted: bool = False
    ) -> None:
        """Note a deviation at a line, or at the tag `name`."""
        problem = self._game.problem(reason, name, line)
        self._found.append(Deviation(kind, problem, accepted))

    def fatal(self, kind: Kind, reason: str, name: str = "", line: int = 0) -> NoRecordError:
        """The error to raise for what keeps the game from being a record."""
        return NoRecordError(kind, self._game.problem(reason, name, line))

    def __iter__(self) -> Iterator[Deviation]:
        return iter(self._found)
