"""What a score is worth against the other scores of the same board.

All scores are of the same direction, in points; the other direction's are the same with
the other sign, and so is what they are worth. Matchpoints are in `bridge.scoring`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from math import floor

from bridge_arena.bridge.scoring import IMP_STEPS, imps


def cross_imps(scores: Sequence[int]) -> list[Fraction]:
    """Cross-IMPs of each score: the IMPs of its difference to every other score of the
    board (Law 78B), their mean over these comparisons. They add up to zero. A score
    without any other is worth 0."""
    ordered = sorted(scores)
    sums = {score: _against_all(score, ordered) for score in set(scores)}
    comparisons = max(1, len(scores) - 1)
    return [Fraction(sums[score], comparisons) for score in scores]


def _against_all(score: int, ordered: Sequence[int]) -> int:
    """The IMPs of a score's differences to all scores, which ascend: one for each step of the
    scale that it is ahead of a score, one less for each that it is behind."""
    ahead = sum(bisect_right(ordered, score - step) for step in IMP_STEPS)
    behind = sum(len(ordered) - bisect_left(ordered, score + step) for step in IMP_STEPS)
    return ahead - behind


def datum(scores: Sequence[int], trim: float = 0.1) -> int:
    """The mean of the scores in points, rounded to tens, a half away from zero.

    The highest and the lowest `trim * len(scores)` of them, rounded down, are left out: by
    default one at each end from 10 scores on, two from 20 on. Raises ValueError without a
    score, or when `trim`, a share, is below 0 or not below 0.5.
    """
    if not scores:
        raise ValueError("a datum needs a score")
    if not 0 <= trim < 0.5:
        raise ValueError(f"{trim} of the scores cannot be left out at each end (0 to below 0.5)")
    # As it is written: 0.29 of 100 scores are 29, though the float 0.29 is a little less.
    left_out = floor(Fraction(str(trim)) * len(scores))
    kept = sorted(scores)[left_out : len(scores) - left_out]
    mean = Fraction(sum(kept), len(kept))
    rounded = 10 * floor(abs(mean) / 10 + Fraction(1, 2))
    return rounded if mean >= 0 else -rounded


def butler(scores: Sequence[int], trim: float = 0.1) -> list[int]:
    """Butler IMPs of each score: the IMPs of its difference to the `datum` (Law 78B).

    Raises ValueError as `datum` does.
    """
    reference = datum(scores, trim)
    return [imps(score - reference) for score in scores]


def board_a_match(difference: int) -> Fraction:
    """Boards won of one, from the difference in points between a team's two tables.

    Matchpoints with a single comparison (Law 78A): two scoring units, each half a board,
    for a better score, one for an equal score, none for a worse one.
    """
    return Fraction((difference > 0) + (difference >= 0), 2)
