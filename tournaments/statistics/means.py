"""Means with their standard errors, also of observations that fall into clusters; percentiles."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy is slow to load, and most means do not need it
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of a number of observations, with its standard error."""

    n: int
    mean: float | None  # their mean; None without an observation
    # The sample standard deviation divided by the root of n; None for fewer than two observations.
    standard_error: float | None

    @classmethod
    def of(cls, observations: Sequence[float]) -> Mean:
        n = len(observations)
        if n == 0:
            return cls(0, None, None)
        mean = fsum(observations) / n
        if n == 1:
            return cls(1, mean, None)
        squares = fsum((observation - mean) ** 2 for observation in observations)
        return cls(n, mean, sqrt(squares / (n - 1) / n))

    def negated(self) -> Mean:
        """Return the mean of the same observations with the other sign."""
        return Mean(self.n, None if self.mean is None else -self.mean, self.standard_error)

    @property
    def band(self) -> tuple[float, float]:
        """The values one standard error below and above the mean."""
        mean, error = self.mean or 0.0, self.standard_error or 0.0
        return mean - error, mean + error

    @property
    def total(self) -> float | None:
        """The sum of the observations; None if there are none."""
        return None if self.mean is None else self.n * self.mean


class RunningMean:
    """The mean of observations that come one at a time and are not kept (Welford's algorithm)."""

    __slots__ = ("_mean", "_n", "_squares")

    def __init__(self) -> None:
        self._n = 0
        self._mean = 0.0
        # The sum of the squared distances from the mean.
        self._squares = 0.0

    def add(self, observation: float) -> None:
        """Count an observation."""
        self._n += 1
        distance = observation - self._mean
        self._mean += distance / self._n
        self._squares += distance * (observation - self._mean)

    @property
    def mean(self) -> Mean:
        """The mean of the observations so far."""
        n = self._n
        if n == 0:
            return Mean(0, None, None)
        return Mean(n, self._mean, sqrt(self._squares / (n - 1) / n) if n > 1 else None)


def percentile(values: Sequence[float] | NDArray[np.float64], percent: float) -> float | None:
    """Return the value below which `percent` (0 to 100) of the values lie; None without values.

    It is interpolated linearly between two values.
    """
    import numpy as np  # noqa: PLC0415

    return float(np.percentile(values, percent)) if len(values) else None


def clustered_mean(observations: Iterable[tuple[Hashable, float]]) -> Mean:
    """Return the mean of values that fall into clusters, with the cluster-robust standard error.

    Values of one cluster, such as the results of one deal at several tables, may depend on each
    other in any way. Values of different clusters must be independent. With one value in each
    cluster, the standard error is the usual one; with less than two clusters there is none.
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


def clustered_mean_of(
    clusters: NDArray[np.integer],
    values: NDArray[np.number],
    counts: NDArray[np.integer] | None = None,
) -> Mean:
    """Return what `clustered_mean` returns, of hundreds of thousands of values at once.

    All arrays are of shape (n,); clusters are numbered from 0. With `counts`, each value is the sum
    of so many observations of its cluster.
    """
    import numpy as np  # noqa: PLC0415

    if counts is None:
        counts = np.ones(len(values), np.int64)
    n = int(counts.sum(dtype=np.int64))
    if n == 0:
        return Mean(0, None, None)
    mean = fsum(np.array(values, np.float64).data) / n
    in_cluster = np.bincount(clusters, counts)
    count = int(np.count_nonzero(in_cluster))
    if count < 2:
        return Mean(n, mean, None)
    from_mean = np.bincount(clusters, values - counts * mean)
    squares = fsum((from_mean[in_cluster > 0] ** 2).data)
    return Mean(n, mean, sqrt(squares * count / (count - 1)) / n)
