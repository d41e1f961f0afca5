"""The value of a score against the other scores of the same board.

All scores are points of one side. The other side's scores, and what they are worth, are the same
with the opposite sign. Matchpoints are in `bridge.scoring`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from math import floor

from bridge_arena.bridge.scoring import IMP_STEPS, imps


def cross_imps(scores: Sequence[int]) -> list[Fraction]:
    """Return the cross-IMPs of each score (Law 78B).

    The cross-IMPs of a score are the mean IMPs of its differences to every other score of the
    board. All of them add up to zero.

    Args:
        scores: The points of one side at each table.

    Returns:
        The cross-IMPs in the order of the scores; 0 for a single score.
    """
    ordered = sorted(scores)
    sums = {score: _against_all(score, ordered) for score in set(scores)}
    comparisons = max(1, len(scores) - 1)
    return [Fraction(sums[score], comparisons) for score in scores]


def _against_all(score: int, ordered: Sequence[int]) -> int:
    """Return the sum of the IMPs of a score's differences to all scores.

    The sum is one IMP for each step of the scale by which the score is ahead of another, less one
    for each by which it is behind.

    Args:
        score: The score to compare.
        ordered: All scores, ascending.

    Returns:
        The sum of the IMPs.
    """
    ahead = sum(bisect_right(ordered, score - step) for step in IMP_STEPS)
    behind = sum(len(ordered) - bisect_left(ordered, score + step) for step in IMP_STEPS)
    return ahead - behind


def datum(scores: Sequence[int], trim: float = 0.1) -> int:
    """Return the mean of the scores in points, rounded to tens, a half away from zero.

    Args:
        scores: The points of one side at each table.
        trim: The share of the scores left out at each end. The number is rounded down: by default
            one score at each end if there are 10 or more, two if there are 20 or more.

    Returns:
        The datum.

    Raises:
        ValueError: There is no score, or `trim` is below 0 or not below 0.5.
    """
    if not scores:
        raise ValueError("a datum needs a score")
    if not 0 <= trim < 0.5:
        raise ValueError(f"{trim} of the scores cannot be left out at each end (0 to below 0.5)")
    # Use the decimal text: 0.29 of 100 scores are 29, but the float 0.29 is slightly less.
    left_out = floor(Fraction(str(trim)) * len(scores))
    kept = sorted(scores)[left_out : len(scores) - left_out]
    mean = Fraction(sum(kept), len(kept))
    rounded = 10 * floor(abs(mean) / 10 + Fraction(1, 2))
    return rounded if mean >= 0 else -rounded


def butler(scores: Sequence[int], trim: float = 0.1) -> list[int]:
    """Return the Butler IMPs of each score: of its difference to the `datum` (Law 78B).

    Args:
        scores: The points of one side at each table.
        trim: The share of the scores that the datum leaves out at each end.

    Returns:
        The IMPs in the order of the scores.

    Raises:
        ValueError: There is no score, or `trim` is below 0 or not below 0.5.
    """
    reference = datum(scores, trim)
    return [imps(score - reference) for score in scores]


def board_a_match(difference: int) -> Fraction:
    """Return the share of one board that a team won at board-a-match.

    It is matchpoints with a single comparison (Law 78A): two scoring units, each half a board, for
    a better score, one for an equal score, none for a worse one.

    Args:
        difference: The difference in points between the team's two tables, above 0 if it won.

    Returns:
        1, 1/2 or 0.
    """
    return Fraction((difference > 0) + (difference >= 0), 2)
