"""A file's own double-dummy figures, compared with the solver's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import Par
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.optimum import DIGITS, SCORE, TABLE, Optimum, Tricks, optimum_of


@dataclass(slots=True)
class OracleFigures:
    """Counts of boards by tag."""

    # The boards that have the tag and were solved.
    figures: Counter[str] = field(default_factory=Counter)
    agreed: Counter[str] = field(default_factory=Counter)  # those of them whose figures agree
    # The boards that have the tag and were not solved.
    unsolved: Counter[str] = field(default_factory=Counter)

    def add(self, game: Game, table: DoubleDummyTable | None, best: Par | None) -> str:
        """Count a game, and return what differs; empty if nothing does."""
        optimum = optimum_of(game)
        if table is None:
            self.unsolved.update(_tags(optimum))
            return ""
        differences: list[str] = []
        for tag, tricks in ((TABLE, optimum.table), (DIGITS, optimum.digits)):
            if tricks:
                self._count(tag, _difference(tag, tricks, table), differences)
        if optimum.score is not None and best is not None:
            text = ""
            if optimum.score != best.score:
                text = f"{SCORE} NS {optimum.score}, par is NS {best.score}"
            self._count(SCORE, text, differences)
        return "; ".join(differences)

    def texts(self) -> Iterator[str]:
        """Yield the number of figures that agree, for each tag."""
        for tag, count in self.figures.items():
            yield f"{self.agreed[tag]} of {count} {tag} agree"

    def _count(self, tag: str, difference: str, differences: list[str]) -> None:
        self.figures[tag] += 1
        self.agreed[tag] += not difference
        if difference:
            differences.append(difference)


def _tags(optimum: Optimum) -> Iterator[str]:
    if optimum.table:
        yield TABLE
    if optimum.digits:
        yield DIGITS
    if optimum.score is not None:
        yield SCORE


def _difference(tag: str, tricks: Tricks, table: DoubleDummyTable) -> str:
    wrong = [
        f"{denomination} {seat} {own}, not {table.tricks(denomination, seat)}"
        for (denomination, seat), own in tricks.items()
        if own != table.tricks(denomination, seat)
    ]
    if not wrong:
        return ""
    more = f" and {len(wrong) - 1} more" if wrong[1:] else ""
    return f"{tag} {wrong[0]}{more}"
