"""What each score of a board is worth against the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bridge_arena.bridge.field_scoring import butler, cross_imps
from bridge_arena.bridge.scoring import matchpoints


@dataclass(frozen=True, slots=True)
class Worth:
    """Of North-South's score, among `tables`.

    `matchpoints`: two for each score beaten and one for each that is equal, of `top`. `butler`:
    against the mean, the best and worst tenth left out. `cross_imps`: the mean over the other
    tables.
    """

    tables: int
    matchpoints: int
    butler: int
    cross_imps: Fraction

    @property
    def top(self) -> int:
        return 2 * (self.tables - 1)

    @property
    def percentage(self) -> float | None:
        """Of the top; None without another table."""
        return 100 * self.matchpoints / self.top if self.top else None


def worths(scores: Sequence[int]) -> Mapping[int, Worth]:
    """The worth of each score that there is."""
    if not scores:
        return {}
    figures = zip(scores, matchpoints(scores), butler(scores), cross_imps(scores), strict=True)
    n = len(scores)
    return {score: Worth(n, points, imps, cross) for score, points, imps, cross in figures}
