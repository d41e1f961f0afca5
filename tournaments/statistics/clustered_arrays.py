"""The mean of many observations that fall into clusters, as arrays."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.statistics.means import Mean


def clustered_mean_of(clusters: NDArray[np.integer], values: NDArray[np.number]) -> Mean:
    """Return what `clustered_mean` returns, of hundreds of thousands of values at once.

    Args:
        clusters: The cluster of each value: a number from 0, n.
        values: The values, n.

    Returns:
        The mean over all values. It has no standard error with less than two clusters.
    """
    n = len(values)
    if n == 0:
        return Mean(0, None, None)
    mean = float(values.mean())
    count = int(np.count_nonzero(np.bincount(clusters)))
    if count < 2:
        return Mean(n, mean, None)
    squares = float((np.bincount(clusters, values - mean) ** 2).sum())
    return Mean(n, mean, sqrt(squares * count / (count - 1)) / n)
