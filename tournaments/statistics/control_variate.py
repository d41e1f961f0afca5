"""A control variate: removes from a match's mean the luck of its deals, as other boards tell it.

Each deal has some values that are worked out without the match, such as the swing of two stand-ins
who play it. They are known for the deals of the match, and for many other deals of the same kind.
Where their mean is higher on the match's deals than elsewhere, the deals favoured one side, and
part of the match's own mean is due to that. The estimate is

    mean(target) - b · (mean(values, same deals) - mean(values, other deals)).

The difference in brackets is zero on average whatever the values are. So the estimate is unbiased
even if they tell nothing of the match; it is then only no more precise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.statistics.means import Mean

FOLDS = 10
"""The groups of deals, each of which has its b from the others."""

PRIOR = 20
"""The number of deals that the expected b counts as."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Controlled:
    """The mean swing of a match, with and without the control."""

    raw: Mean  # the mean as it is, in IMPs per board
    controlled: Mean
    slopes: tuple[float, ...]  # the mean of b over the deals, for each value of a deal
    # The correlation over the same deals of the target and the values, weighted by the slopes; 0 if
    # one of them never varies.
    correlation: float
    # The raw variance divided by the controlled one: the match counts for so many times its boards.
    # Below 1 the control did harm. None without a standard error.
    gain: float | None


def control(
    target: Sequence[float],
    same: Sequence[Sequence[float]],
    elsewhere: Sequence[Sequence[float]],
    *,
    expected: Sequence[float],
) -> Controlled:
    """Return the mean of a match with the luck of its deals removed.

    The b of a deal is fitted by least squares over the deals of the other folds, with `PRIOR` more
    deals that have the expected b, and multiplied by m / (n + m), for n deals and m others, to
    allow for the error of the mean elsewhere. A deal has no part in its own b, so the estimate is
    unbiased.

    Args:
        target: One value for each deal of the match: its swing, or the mean of its swings if it was
            played in several matches.
        same: The values of the same deals, in the same order.
        elsewhere: The values of other deals.
        expected: The b of each value that is expected beforehand.

    Raises:
        ValueError: Target and values differ in number, or less than 2 deals are given.
    """
    y = np.asarray(target, dtype=np.float64)
    x, z = (
        np.asarray(values, dtype=np.float64).reshape(len(values), len(expected))
        for values in (same, elsewhere)
    )
    n, m = len(y), len(z)
    if len(x) != n:
        raise ValueError(f"{n} deals of the match, but values of {len(x)}")
    if n < 2 or m < 2:
        raise ValueError(f"no luck can be told from {n} deals and {m} others")
    prior = np.asarray(expected, dtype=np.float64)
    fold = np.arange(n) % min(FOLDS, n)
    slopes = np.empty_like(x)
    for number in range(fold.max() + 1):
        others = fold != number
        slopes[fold == number] = _slopes(y[others], x[others], prior) * m / (n + m)
    cleared = y - ((x - z.mean(axis=0)) * slopes).sum(axis=1)
    slope = slopes.mean(axis=0)
    # Given b, the match's deals and the others are independent of each other.
    variance = float(cleared.var(ddof=1)) / n + float((z @ slope).var(ddof=1)) / m
    raw = Mean.of(y.tolist())
    error = raw.standard_error
    return Controlled(
        raw,
        Mean(n, float(cleared.mean()), sqrt(variance)),
        tuple(slope.tolist()),
        _correlation(y, x @ slope),
        error**2 / variance if error is not None and variance > 0 else None,
    )


def _slopes(y: Floats, x: Floats, prior: Floats) -> Floats:
    from_mean = x - x.mean(axis=0)
    products = from_mean.T @ from_mean
    sizes = np.diag(products) / len(x)
    weights = np.diag(PRIOR * np.where(sizes > 0, sizes, 1.0))
    slopes: Floats = np.linalg.solve(products + weights, from_mean.T @ y + weights @ prior)
    return slopes


def _correlation(y: Floats, x: Floats) -> float:
    spread = float(y.std() * x.std())
    return float(((x - x.mean()) * (y - y.mean())).mean()) / spread if spread > 0 else 0.0
