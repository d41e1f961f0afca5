"""Tests of significance: the paired sign-flip test, Student's t distribution, Holm's correction.

The sign-flip test is of the hypothesis that two teams are equally good. They play every board under
the same conditions, so that each board's swing is then as likely to go the other way. The p-value
is the share of all assignments of signs whose sum is at least as far from zero as the observed sum.
The test assumes no distribution, which suits IMPs: they have many zeros and a few large swings.

scipy has the t distribution, but nothing else of scipy is needed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan, cos, exp, lgamma, pi, sqrt, tan

import numpy as np

EXACT_UP_TO = 2000
"""The largest number of non-zero swings for which all assignments of signs are counted."""

FLIPS = 10_000
"""The number of random assignments where there are too many to count."""


def sign_flip_p_value(differences: Sequence[int], *, seed: int = 0) -> float | None:
    """Return the two-sided p-value of paired differences, such as the IMPs of boards.

    It is exact up to EXACT_UP_TO non-zero differences (zeros have no sign to flip). Beyond that it
    is an estimate from FLIPS random assignments. It is None without differences.
    """
    if not len(differences):
        return None
    sizes = [abs(difference) for difference in differences if difference]
    observed = abs(sum(differences))
    if len(sizes) <= EXACT_UP_TO:
        return _exact(sizes, observed)
    return _estimate(sizes, observed, seed)


def _exact(sizes: Sequence[int], observed: int) -> float:
    # chance[reach + s] is the probability that the signs so far make the sum s.
    reach = sum(sizes)
    chance = np.zeros(2 * reach + 1)
    chance[reach] = 1.0
    for size in sizes:
        # The roll wraps round at the ends, where all values are still zero.
        chance = (np.roll(chance, size) + np.roll(chance, -size)) / 2
    tails = chance[: reach - observed + 1].sum() + chance[reach + observed :].sum()
    return min(1.0, float(tails))


def _estimate(sizes: Sequence[int], observed: int, seed: int) -> float:
    values, counts = np.unique(sizes, return_counts=True)
    positive = np.random.default_rng(seed).binomial(counts, 0.5, size=(FLIPS, len(counts)))
    sums = (2 * positive - counts) @ values
    extreme = int((np.abs(sums) >= observed).sum())
    # The observed assignment is one of the possible ones, so p is never zero.
    return (extreme + 1) / (FLIPS + 1)


_PARTS = 400
"""The intervals of Simpson's rule, an even number: errors are below 1e-8 for shares up to 0.999."""

_ENDLESS = 1e6
"""The largest degrees of freedom to compute with; beyond it, the distribution hardly changes."""

_STEPS = 200
"""The most steps of Newton's method; ten are usual."""

# With t = sqrt(degrees) tan(angle) the density is that of cos(angle)^(degrees - 1).


@lru_cache(maxsize=1 << 13)  # a ladder asks for thousands again at each change, few of them new
def two_sided_t(share: float, degrees: float) -> float:
    """Return the t, at least 0, such that a share of the distribution lies between -t and t.

    The share is from 0 to below 1, and the degrees of freedom any number from 1. Raises ValueError.
    """
    if not 0 <= share < 1 or not degrees >= 1:
        raise ValueError(f"no t for a share of {share} and {degrees} degrees of freedom")
    degrees = min(degrees, _ENDLESS)
    whole = _whole(degrees)
    angle = 0.0
    for _ in range(_STEPS):
        # The density falls with the angle, so a step from below never goes too far.
        step = (share * whole - _inside(angle, degrees)) / cos(angle) ** (degrees - 1)
        angle += step
        if abs(step) < 1e-12 * angle:
            break
    return sqrt(degrees) * tan(angle)


def two_sided_p(t: float, degrees: float) -> float:
    """Return the share of the distribution that lies at least as far from 0 as t: the p-value.

    The degrees of freedom are any number from 1. Raises ValueError.
    """
    if not degrees >= 1:
        raise ValueError(f"no distribution of t has {degrees} degrees of freedom")
    degrees = min(degrees, _ENDLESS)
    angle = atan(abs(t) / sqrt(degrees))
    return max(0.0, 1.0 - _inside(angle, degrees) / _whole(degrees))


def _whole(degrees: float) -> float:
    """Return the integral of the density over the angles from 0 to a right angle."""
    return sqrt(pi) / 2 * exp(lgamma(degrees / 2) - lgamma((degrees + 1) / 2))


def _inside(angle: float, degrees: float) -> float:
    """Return the integral of the density over the angles from 0 to `angle`, by Simpson's rule."""
    weights = np.full(_PARTS + 1, 2.0)
    weights[1::2] = 4.0
    weights[[0, -1]] = 1.0
    heights = np.cos(np.linspace(0, angle, _PARTS + 1)) ** (degrees - 1)
    return angle / _PARTS / 3 * float(weights @ heights)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values corrected for the number of tests, in the same order.

    Whichever of the hypotheses are true, the probability that at least one of them gets a corrected
    p-value below x is at most x.
    """
    corrected = [0.0] * len(p_values)
    most = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        most = max(most, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = most
    return corrected
