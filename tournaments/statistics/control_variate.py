"""A control variate: take out of a match the luck that cheap bots had on the same deals.

Two stand-ins play the deals of the match, and many other deals of the same kind. Where they
swung more on the match's deals than elsewhere, the deals favoured one side, and part of the
match's own mean is due to that. The estimate is

    mean(target) - b (mean(stand-ins, same deals) - mean(stand-ins, other deals)).

The difference in brackets is zero on average whatever the bots are, so nothing is assumed
of how well the stand-ins stand in: they make the estimate sharper, or do not.
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
    """The mean swing of a match, as it is (`raw`) and with the control.

    `slope`: the mean b. `correlation`: of target and stand-ins over the same deals, 0 where
    one of them never varies. `gain`: raw variance by controlled; the match counts for so many
    times its boards. Below 1 the control did harm. None without a standard error.
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
    """The mean of `target` with the stand-ins' luck taken out.

    `target` and `stand_ins` have one value for each deal of the match, in the same order: its
    swing, or the mean of its swings where it was played in several matches. `elsewhere` has
    the stand-ins' for each of the other deals.

    The b of a deal is the least squares slope over the deals of the other `folds`, less what
    the error of the stand-ins' mean elsewhere takes (m / (n + m) of it, for n deals and m
    others). A deal has no part in its own b, so the estimate is unbiased. Raises ValueError
    unless target and stand-ins have as many values, 3 for each fold at least, and elsewhere
    has 2.
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
