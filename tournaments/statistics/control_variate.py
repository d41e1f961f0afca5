"""A control variate: removes from a match's mean the luck of the deals, as cheap bots had it.

Two stand-ins play the deals of the match, and many other deals of the same kind. Where they swung
more on the match's deals than elsewhere, the deals favoured one side, and part of the match's own
mean is due to that. The estimate is

    mean(target) - b (mean(stand-ins, same deals) - mean(stand-ins, other deals)).

The difference in brackets is zero on average whatever the bots are. So the estimate is unbiased
even if the stand-ins play nothing like the bots of the match; it is then only no more precise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.statistics.means import Mean


@dataclass(frozen=True, slots=True)
class Controlled:
    """The mean swing of a match, with and without the control.

    Attributes:
        raw: The mean as it is, in IMPs per board.
        controlled: The mean with the control.
        slope: The mean of b over the deals.
        correlation: The correlation of target and stand-ins over the same deals; 0 if one of them
            never varies.
        gain: The raw variance divided by the controlled one: the match counts for so many times its
            boards. Below 1 the control did harm. None without a standard error.
    """

    raw: Mean
    controlled: Mean
    slope: float
    correlation: float
    gain: float | None


def control(
    target: Sequence[float],
    stand_ins: Sequence[float],
    elsewhere: Sequence[float],
    *,
    folds: int = 10,
) -> Controlled:
    """Return the mean of a match with the stand-ins' luck removed.

    The b of a deal is the least squares slope over the deals of the other folds, reduced for the
    error of the stand-ins' mean elsewhere (multiplied by m / (n + m), for n deals and m others). A
    deal has no part in its own b, so the estimate is unbiased.

    Args:
        target: One value for each deal of the match: its swing, or the mean of its swings if it was
            played in several matches.
        stand_ins: The stand-ins' values for the same deals, in the same order.
        elsewhere: The stand-ins' values for other deals.
        folds: The number of groups that the deals are divided into.

    Returns:
        The raw and the controlled mean.

    Raises:
        ValueError: Target and stand-ins have different numbers of values, or less than 3 for each
            fold, or elsewhere has less than 2.
    """
    y, x, z = (np.asarray(each, dtype=np.float64) for each in (target, stand_ins, elsewhere))
    n, m = len(y), len(z)
    if len(x) != n:
        raise ValueError(f"{n} deals of the match, but {len(x)} of the stand-ins")
    if folds < 2 or n < 3 * folds:
        raise ValueError(f"{n} deals are too few for {folds} folds of 3")
    if m < 2:
        raise ValueError(f"the stand-ins' mean cannot be known from {m} other deals")
    fold = np.arange(n) % folds
    slopes = np.empty(n)
    for each in range(folds):
        others = fold != each
        slopes[fold == each] = _slope(y[others], x[others]) * m / (n + m)
    cleared = y - slopes * (x - z.mean())
    slope = float(slopes.mean())
    # Given b, the match's deals and the others are independent of each other.
    variance = float(cleared.var(ddof=1)) / n + slope**2 * float(z.var(ddof=1)) / m
    raw = Mean.of(y.tolist())
    error = raw.standard_error
    return Controlled(
        raw,
        Mean(n, float(cleared.mean()), sqrt(variance)),
        slope,
        _correlation(y, x),
        error**2 / variance if error is not None and variance > 0 else None,
    )


def _slope(y: NDArray[np.float64], x: NDArray[np.float64]) -> float:
    spread = float(((x - x.mean()) ** 2).sum())
    return float(((x - x.mean()) * (y - y.mean())).sum()) / spread if spread > 0 else 0.0


def _correlation(y: NDArray[np.float64], x: NDArray[np.float64]) -> float:
    spread = float(y.std() * x.std())
    return float(((x - x.mean()) * (y - y.mean())).mean()) / spread if spread > 0 else 0.0
