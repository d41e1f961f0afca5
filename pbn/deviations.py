"""The kinds of oddities and errors in the bridge of a game.

`pbn.read.meaning` finds them; summaries count them by kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bridge_arena.pbn.model import Game, PbnError, Problem


class Kind(StrEnum):
    """The kinds of deviations from the PBN standard and from the Laws."""

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
"""Kinds that are no errors: a game without errors may show them."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One deviation, with its place.

    Attributes:
        kind: The kind of deviation.
        problem: The place and the description.
        is_accepted: Whether it happened at the table, was accepted there, and is marked in the file
            (`^I ^S ^R ^L`).
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
    """The error of a game that cannot be a record.

    Args:
        kind: The kind of the reason.
        problem: The place and the reason.

    Attributes:
        kind: The kind of the reason.
    """

    def __init__(self, kind: Kind, problem: Problem) -> None:
        super().__init__(problem)
        self.kind = kind


class Deviations:
    """The deviations found in one game.

    Args:
        game: The game.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: list[Deviation] = []

    def add(
        self, kind: Kind, reason: str, name: str = "", line: int = 0, *, accepted: bool = False
    ) -> None:
        """Note a deviation at a line, or at the tag `name`.

        Args:
            kind: The kind of deviation.
            reason: The description.
            name: The tag concerned.
            line: The line; by default the tag's, or the game's if there is no such tag.
            accepted: Whether the file says that it was accepted at the table.
        """
        problem = self._game.problem(reason, name, line)
        self._found.append(Deviation(kind, problem, accepted))

    def fatal(self, kind: Kind, reason: str, name: str = "", line: int = 0) -> NoRecordError:
        """Return the error to raise for a deviation that keeps the game from being a record.

        Args:
            kind: The kind of deviation.
            reason: The description.
            name: The tag concerned.
            line: The line; by default the tag's, or the game's if there is no such tag.

        Returns:
            The error.
        """
        return NoRecordError(kind, self._game.problem(reason, name, line))

    def __iter__(self) -> Iterator[Deviation]:
        return iter(self._found)
