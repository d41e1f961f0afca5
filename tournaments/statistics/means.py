"""Means with their standard errors, and percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

import numpy as np


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


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The value below which `percent` of 100 lie, interpolated; None without values."""
    return float(np.percentile(values, percent)) if len(values) else None
