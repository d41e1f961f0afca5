"""What boards against the same opponents prove of versions that have not met.

The assumption is that strengths add up: i gains as much against j on average as it gains against an
opponent, less what j gains against that opponent. Versions that have met need no such assumption.

For an opponent c, "i is not ahead of j" is doubted with F = min over m of K(i gains more than m
against c) · K(j gains less than m), the wealths of `statistics.betting`. For the right m both
doubts are wrong, so that F is at most a wealth that does not grow on average, whatever m is.
Opponents enter by a mixture that is fixed beforehand: the sum over q of 1 / (q (q + 1)) · the
product of 1/2 + F/2 over the first q to arrive. That suits ladders whose first versions, the
anchors, meet everybody.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.statistics.betting import SWINGS, Floats, bet_growth, mixed
from bridge_arena.tournaments.statistics.sequential import LARGEST

OPPONENTS = 8
"""The versions that count as common opponents: so many that arrived first."""

_MEANS: Floats = np.concatenate([[-LARGEST], np.linspace(-8, 8, 257), [LARGEST]])
"""The means that are tried. Between two of them the wealths are at least those of the farther."""


def through_others(counts: NDArray[np.integer], pairs: NDArray[np.integer]) -> Floats:
    """Return the logarithm of the wealth that the first of each pair is ahead, of shape (pairs,).

    Args:
        counts: The boards of each swing of i against j, of shape (n, `OPPONENTS`, 49) or more.
        pairs: Two numbers in each row, of shape (pairs, 2), that have not met.
    """
    versions, places = np.unique(pairs, return_inverse=True)
    boards = counts[versions, :OPPONENTS].astype(np.float64)
    above = _evidence(boards)[..., 1:]
    below = _evidence(boards[..., ::-1])[..., :0:-1]
    one, other = places.reshape(pairs.shape).T
    least = (above[one] + below[other]).min(axis=-1)
    factors = np.logaddexp(0.0, least) - np.log(2)
    factors[pairs[:, :1] == np.arange(boards.shape[1])] = 0.0
    factors[pairs[:, 1:] == np.arange(boards.shape[1])] = 0.0
    first = np.arange(1, boards.shape[1] + 1)
    return np.asarray(
        np.logaddexp.reduce(np.cumsum(factors, axis=1) - np.log(first * (first + 1)), axis=1)
    )


def _evidence(boards: Floats) -> Floats:
    """Return the evidence that the mean is above each of `_MEANS`, of shape (..., means)."""
    growth = bet_growth(_MEANS)  # (means, bets, 49)
    bets = boards @ growth.reshape(-1, len(SWINGS)).T
    return mixed(bets.reshape(*boards.shape[:-1], *growth.shape[:-1]))
