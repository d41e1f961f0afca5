"""The mean of observations that fall into clusters."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import fsum, sqrt

from bridge_arena.tournaments.statistics.means import Mean


def clustered_mean(observations: Iterable[tuple[Hashable, float]]) -> Mean:
    """Return the mean of values that fall into clusters, with the cluster-robust standard error.

    Values of one cluster, such as the results of one deal at several tables, may depend on each
    other in any way. Values of different clusters must be independent. With one value in each
    cluster, the standard error is the usual one.

    Args:
        observations: Pairs of a cluster and a value.

    Returns:
        The mean over all values. It has no standard error with less than two clusters.
    """
    clusters: dict[Hashable, list[float]] = {}
    for cluster, value in observations:
        clusters.setdefault(cluster, []).append(value)
    plain = Mean.of([value for values in clusters.values() for value in values])
    if plain.mean is None or len(clusters) < 2:
        return Mean(plain.n, plain.mean, None)
    count = len(clusters)
    squares = fsum(
        fsum(value - plain.mean for value in values) ** 2 for values in clusters.values()
    )
    return Mean(plain.n, plain.mean, sqrt(squares * count / (count - 1)) / plain.n)
