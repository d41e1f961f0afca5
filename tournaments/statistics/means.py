"""Means with their standard errors, and percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `n` observations, and how far it may be from the truth.

    `mean` is None without an observation; `standard_error`, the sample standard
    deviation over the root of n, is None below two.
    """

    n: int
    mean: float | None
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

    @property
    def total(self) -> float | None:
        """The sum of the observations; None without one."""
        return None if self.mean is None else self.n * self.mean


class RunningMean:
    """A mean of observations that come one at a time and are not kept (Welford)."""

    __slots__ = ("_mean", "_n", "_squares")

    def __init__(self) -> None:
        self._n = 0
        self._mean = 0.0
        # The sum of the squared distances from the mean.
        self._squares = 0.0

    def add(self, observation: float) -> None:
        self._n += 1
        distance = observation - self._mean
        self._mean += distance / self._n
        self._squares += distance * (observation - self._mean)

    @property
    def mean(self) -> Mean:
        """Of those added so far."""
        n = self._n
        if n == 0:
            return Mean(0, None, None)
        return Mean(n, self._mean, sqrt(self._squares / (n - 1) / n) if n > 1 else None)


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The value below which `percent` of 100 lie, interpolated; None without values."""
    import numpy as np  # noqa: PLC0415  slow to load, and means do not need it

    return float(np.percentile(values, percent)) if len(values) else None
