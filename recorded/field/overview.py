"""What the terminal and the page show of fields: counts, agreements, biggest swings and pairs."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from bridge_arena.base.wording import plural
from bridge_arena.pbn.read.field import Field
from bridge_arena.recorded.field.findings import BoardFinding
from bridge_arena.recorded.field.own_figures import SCORE, Agreement, OracleFigures
from bridge_arena.recorded.field.pairs import Pairs

T = TypeVar("T")


class Biggest(list[T]):
    """The biggest items added, the biggest first; of equal ones the earlier."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._falling: list[float] = []  # the negative sizes of the items

    def add(self, size: float, item: T) -> None:
        place = bisect(self._falling, -size)
        self._falling.insert(place, -size)
        self.insert(place, item)
        del self._falling[self._most :], self[self._most :]


SHOWN = 12
"""The number of boards shown that swung most."""

DIFFERENCES = 50
"""Differences from the file's own figures that are kept to be shown."""


@dataclass(slots=True)
class FieldOverview:
    """Counts over all boards with a field."""

    boards: int = 0
    tables: int = 0
    # How far the file's own figures agree, by kind.
    agreements: dict[str, Agreement] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)  # the differences to be shown
    unused: Counter[str] = field(default_factory=Counter)  # what was not used, by its description
    pairs: Pairs = field(default_factory=Pairs)
    # The comparison of the double-dummy figures.
    oracle: OracleFigures = field(default_factory=OracleFigures)
    # The boards whose tables are farthest apart, the farthest first.
    swings: Biggest[BoardFinding] = field(default_factory=lambda: Biggest(SHOWN))

    def add(self, board: BoardFinding) -> None:
        self.boards += 1
        self.tables += len(board.field.scores)
        self.pairs.add(board)
        for kind, agreement in board.agreements.items():
            self.agreements.setdefault(kind, Agreement()).add(agreement)
        for finding in board.tables:
            if finding.note and len(self.differences) < DIFFERENCES:
                place = f"{board.field.file}:{finding.result.table.line}"
                number = board.field.board.number
                self.differences.append(f"{place}: board {number}: {finding.note}")
        self.swings.add(board.swing.total, board)

    def leave_out(self, field: Field) -> None:
        """Count the rows of a ScoreTable that are not used."""
        self.unused["rows without a score"] += field.without_score
        self.unused["rows that cannot be"] += field.unusable

    def agreement_texts(self) -> Iterator[str]:
        """Yield how many of the file's figures agree with those counted here, kind by kind."""
        for kind, agreement in self.agreements.items():
            what = "scores" if kind == SCORE else kind
            counts = f"{agreement.agreed.total()} of {agreement.figures.total()} {what} agree"
            ways = [way for way, count in agreement.agreed.items() if way and count]
            yield f"{counts} ({', '.join(ways)})" if ways else counts
        yield from self.oracle.texts()

    def unused_text(self) -> str:
        """Return what was not used, in one line; empty if everything was used."""
        counts = +self.unused
        if self.pairs.unnamed:
            counts["seats of no named pair, left out of the ranking"] = self.pairs.unnamed
        return ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))

    def headline(self) -> str:
        return f"{plural(self.boards, 'board')} with {plural(self.tables, 'table')} of a field"
