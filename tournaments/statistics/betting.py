"""What the swings of boards prove of their mean, at every look and whoever meets whom.

Somebody who doubts that the mean swing is at most m bets on each board before it is played. With
y = swing + 24, a bet of the share f of the wealth multiplies it by (1 - f) + f y / (m + 24). If the
mean is m or less, the wealth does not grow on average, whatever was played before and for whatever
reason this board is played. So the chance that it ever reaches 1/alpha is at most alpha (Ville's
inequality). The wealth is the evidence that the mean is above m.

The wealth is spread over some fixed shares (`BETS`), of which one is good for each mean. The order
of the boards does not matter then: 49 counts, of the swings from -24 to 24, are all that is kept of
any number of boards. The method is that of Waudby-Smith and Ramdas, Estimating means of bounded
random variables by betting (2024), with a mixture as in universal portfolios (Orabona and Jun,
Tight concentrations and confidence sequences from the regret of universal portfolio, 2024).

Only whole IMPs are counted. Controlled estimates would not pay (`research.ladder_controls`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_arena.tournaments.statistics.sequential import LARGEST

Floats = NDArray[np.float64]

SWINGS: NDArray[np.int64] = np.arange(-LARGEST, LARGEST + 1)
"""The swings that a board can have, in the order of their counts."""

BETS: Floats = np.geomspace(0.02, 0.98, 8)
"""The shares of the wealth that are bet. With a standard deviation of 5 IMPs the first is best for
a mean of 0.02, the last for a mean of 1.2 or more; between them, no mean takes 5 % more boards."""

_STEP = 2.0**-48 * 2 * LARGEST
"""The ends of intervals are multiples of it, so that they are exact to 2e-13 IMPs."""

_COARSE: Floats = np.linspace(0, 2.0**48, 65)
"""The multiples among which the search for an end begins, for all rows at once."""

_LEAST = 1e-9
"""The least distance from -24 of a mean that is tested."""


def counts_of(swings: Sequence[int]) -> NDArray[np.int64]:
    """Return how many boards had each swing, of shape (49,). Raises ValueError."""
    if any(abs(swing) > LARGEST for swing in swings):
        raise ValueError(f"a board swings at most {LARGEST} IMPs")
    return np.bincount(np.array(swings, np.int64) + LARGEST, minlength=len(SWINGS))


def bet_growth(mean: ArrayLike = 0.0) -> Floats:
    """Return the logarithm of what a swing makes of each bet, of shape (..., bets, 49)."""
    above = np.maximum(np.asarray(mean, np.float64) + LARGEST, _LEAST)[..., None, None]
    return np.asarray(np.log1p(BETS[:, None] * ((SWINGS + LARGEST) / above - 1)))


def mixed(bets: Floats) -> Floats:
    """Return the logarithm of the mean of the bets' wealths from their logarithms, (..., bets)."""
    most = bets.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(bets - most).mean(axis=-1)) + most[..., 0])


def evidence(counts: ArrayLike, mean: float = 0.0) -> Floats:
    """Return the logarithm of the wealth of who doubts that the mean swing is at most `mean`.

    Args:
        counts: The boards of each swing, of shape (..., 49).
        mean: In IMPs a board.
    """
    return mixed(np.asarray(counts, np.float64) @ bet_growth(mean).T)


def interval(counts: ArrayLike, alpha: float) -> tuple[float, float]:
    """Return an interval that holds the mean at all looks together, but for a chance of `alpha`.

    Args:
        counts: The boards of each swing, of shape (49,).
        alpha: The chance that the mean is ever outside, such as 0.05.
    """
    low, high = intervals(np.asarray(counts)[None], alpha)[0].tolist()
    return low, high


def intervals(counts: ArrayLike, alpha: float) -> Floats:
    """Return the `interval` of each row: counts of shape (n, 49) give ends of shape (n, 2)."""
    boards = np.asarray(counts, np.float64)
    lower, upper = np.split(_lower(np.concatenate([boards, boards[:, ::-1]]), alpha), 2)
    return np.column_stack([lower, -upper])


def _lower(counts: Floats, alpha: float) -> Floats:
    """Return the largest mean of each row that is doubted with wealth 2 / alpha.

    The wealth falls with the mean. The multiple of `_STEP` at which it falls below the bound is
    found by the ITP method (Oliveira and Takahashi, An enhancement of the bisection method average
    performance preserving minmax optimality, 2020), which takes a fifth of the steps of bisection.
    """
    bound = np.log(2 / alpha)
    growth = bet_growth(_mean(_COARSE))
    bets = counts @ growth.reshape(-1, len(SWINGS)).T
    beyond = mixed(bets.reshape(-1, *growth.shape[:2])) - bound
    row, first = np.arange(len(counts)), np.argmax(beyond[:, 1:] < 0, axis=1)
    low, high = _COARSE[first], _COARSE[first + 1]
    # No mean at all is doubted without boards: the end is then the lowest one.
    at_low, at_high = np.maximum(beyond[row, first], 0), beyond[row, first + 1]
    reach = float(_COARSE[1])  # how far a step may be from the middle, beyond half the bracket
    while len(row := np.flatnonzero(high - low > 1)):
        a, b, above, below = low[row], high[row], at_low[row], at_high[row]
        middle = (a + b) / 2
        secant = a + (b - a) * above / (above - below)
        towards = np.sign(middle - secant)
        probe = secant + towards * np.minimum(0.2 / _COARSE[1] * (b - a) ** 2, abs(middle - secant))
        within = np.maximum(reach - (b - a) / 2, 0)
        probe = np.rint(np.clip(probe, middle - within, middle + within)).clip(a + 1, b - 1)
        value = _beyond(counts[row], _mean(probe), bound)
        is_above = value >= 0
        low[row], at_low[row] = np.where(is_above, probe, a), np.where(is_above, value, above)
        high[row], at_high[row] = np.where(is_above, b, probe), np.where(is_above, below, value)
        reach /= 2
    return _mean(low)


def _beyond(counts: Floats, means: Floats, bound: float) -> Floats:
    """Return how far the evidence of each row against its own mean is beyond a bound."""
    bets = counts[:, None] @ bet_growth(means).swapaxes(-1, -2)
    return mixed(bets[:, 0]) - bound


def _mean(multiple: Floats) -> Floats:
    return np.asarray(multiple * _STEP - LARGEST)
