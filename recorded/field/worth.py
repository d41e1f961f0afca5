"""What each score of a board is worth against the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bridge_arena.bridge.field_scoring import butler, cross_imps
from bridge_arena.bridge.scoring import matchpoints


@dataclass(frozen=True, slots=True)
class Worth:
    """What North-South's score is worth."""

    tables: int  # the number of tables in the field
    matchpoints: int  # two for each score beaten and one for each equal one
    butler: int  # the IMPs against the mean without the best and the worst tenth
    cross_imps: Fraction  # the mean of the IMPs against each other table

    @property
    def top(self) -> int:
        """The most matchpoints possible."""
        return 2 * (self.tables - 1)

    @property
    def percentage(self) -> float | None:
        """The matchpoints in percent of the top; None if there is no other table."""
        return 100 * self.matchpoints / self.top if self.top else None


def worths(scores: Sequence[int]) -> Mapping[int, Worth]:
    """Return what each of the scores is worth."""
    if not scores:
        return {}
    figures = zip(scores, matchpoints(scores), butler(scores), cross_imps(scores), strict=True)
    n = len(scores)
    return {score: Worth(n, points, imps, cross) for score, points, imps, cross in figures}
