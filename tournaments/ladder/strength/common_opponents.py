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

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_arena.tournaments.statistics.betting import SWINGS, Floats, bet_growth, mixed
from bridge_arena.tournaments.statistics.sequential import LARGEST

OPPONENTS = 8
"""The versions that count as common opponents: so many that arrived first."""

_MEANS: Floats = np.concatenate([[-LARGEST], np.linspace(-8, 8, 257), [LARGEST]])
"""The means that are tried. Between two of them the wealths are at least those of the farther."""

CELLS = len(_MEANS) - 1
"""The spaces between them."""


def curves(counts: ArrayLike) -> Floats:
    """Return the evidence against low and against high means, between every two that are tried.

    Args:
        counts: The boards of each swing, of shape (..., 49).

    Returns:
        The logarithms of the least wealths, of shape (..., 2, `CELLS`).
    """
    boards = np.asarray(counts, np.float64)
    above, below = _evidence(boards), _evidence(boards[..., ::-1])
    return np.stack([above[..., 1:], below[..., :0:-1]], axis=-2)


def through_others(against: Floats, pairs: NDArray[np.integer]) -> Floats:
    """Return the logarithm of the wealth that the first of each pair is ahead, of shape (pairs,).

    Args:
        against: The `curves` of each version against the first to arrive, of shape (n, opponents,
            2, `CELLS`); zeros where they have not met.
        pairs: Two numbers in each row, of shape (pairs, 2), that have not met.
    """
    opponents = np.arange(against.shape[1])
    weights = np.log((opponents + 1) * (opponents + 2))
    wealth = np.empty(len(pairs))
    for version in np.unique(pairs[:, 0]):
        rows = pairs[:, 0] == version
        others = pairs[rows, 1]
        least = (against[version, :, 0] + against[others, :, 1]).min(axis=-1)
        factors = np.logaddexp(0.0, least) - np.log(2)
        factors[(others[:, None] == opponents) | (version == opponents)] = 0.0
        wealth[rows] = np.logaddexp.reduce(np.cumsum(factors, axis=1) - weights, axis=1)
    return wealth


def _evidence(boards: Floats) -> Floats:
    """Return the evidence that the mean is above each of `_MEANS`, of shape (..., means)."""
    growth = _growth()
    bets = boards @ growth.reshape(-1, len(SWINGS)).T
    return mixed(bets.reshape(*boards.shape[:-1], *growth.shape[:-1]))


@cache
def _growth() -> Floats:
    """Return what a swing makes of each bet at each mean, of shape (means, bets, 49)."""
    return bet_growth(_MEANS)
