"""The kinds of oddities and errors in the bridge at a table of a LIN file.

`lin.read.meaning` finds them; summaries count them by kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bridge_arena.lin.model import Item, LinError, Problem, Table


class Kind(StrEnum):
    """The kinds of deviations from the LIN format and from the Laws."""

    TEXT = "text that is not LIN"
    # The board and its players.
    NO_DEAL = "no deal"
    HIDDEN_HANDS = "hidden hands"
    IMPOSSIBLE_DEAL = "impossible deal"
    IMPLIED_DEAL = "deal of another table"
    SHORT_HAND = "short hand"
    NO_DEALER = "no dealer or vulnerability"
    PLAYERS = "players"
    # The auction.
    NOT_A_CALL = "not a call"
    INSUFFICIENT_BID = "insufficient bid"
    INADMISSIBLE_DOUBLE = "inadmissible double"
    CALL_AFTER_END = "call after the final pass"
    MISSING_PASSES = "missing passes"
    UNFINISHED_AUCTION = "unfinished auction"
    EXPLANATION = "explanation of no call"
    # The play.
    NOT_A_CARD = "not a card"
    CARD_PLAYED_TWICE = "card played twice"
    CARD_NOT_HELD = "card not held"
    REVOKE = "revoke"
    NO_CONTRACT = "play without contract"
    CLAIM = "claim"
    UNFINISHED_PLAY = "unfinished play"
    # The heading's results and claims against auction and play.
    CONTRACT = "contract"
    RESULT = "result"


REMARKS = frozenset(
    {
        Kind.NO_DEAL,
        Kind.HIDDEN_HANDS,
        Kind.UNFINISHED_AUCTION,
        Kind.CLAIM,
        Kind.UNFINISHED_PLAY,
    }
)
"""Kinds that are no errors: a table without errors may show them."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One deviation, with its place and what the reader made of it.

    Attributes:
        kind: The kind of deviation.
        problem: The place and the description.
    """

    kind: Kind
    problem: Problem

    @property
    def is_error(self) -> bool:
        """Whether something in the file, or at the table, is wrong."""
        return self.kind not in REMARKS

    def __str__(self) -> str:
        return str(self.problem)


class NoBoardError(LinError):
    """The error of a table that holds no board.

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
    """The deviations found at one table.

    Args:
        table: The table, whose problems come first.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._found = [Deviation(Kind.TEXT, problem) for problem in table.problems]

    def add(self, kind: Kind, reason: str, item: Item | None = None) -> None:
        """Note a deviation, at an item if one is given."""
        self._found.append(Deviation(kind, self._table.problem(reason, item)))

    def fatal(self, kind: Kind, reason: str, item: Item | None = None) -> NoBoardError:
        """Return the error to raise for a deviation that leaves no board."""
        return NoBoardError(kind, self._table.problem(reason, item))

    def __iter__(self) -> Iterator[Deviation]:
        return iter(self._found)
