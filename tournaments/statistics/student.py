"""Student's t distribution for any degrees of freedom: its quantiles and its tails.

scipy has both, but nothing else of scipy is needed here.
"""

from __future__ import annotations

from math import atan, cos, exp, lgamma, pi, sqrt, tan

import numpy as np

_PARTS = 400
"""The intervals of Simpson's rule, an even number: errors are below 1e-8 for shares up to 0.999."""

_ENDLESS = 1e6
"""The largest degrees of freedom to compute with; beyond it, the distribution hardly changes."""

_STEPS = 200
"""The most steps of Newton's method; ten are usual."""

# With t = sqrt(degrees) tan(angle) the density is that of cos(angle)^(degrees - 1).


def two_sided_t(share: float, degrees: float) -> float:
    """Return the t such that a share of the distribution lies between -t and t.

    Args:
        share: From 0 to below 1.
        degrees: The degrees of freedom, any number from 1.

    Returns:
        The quantile t, at least 0.

    Raises:
        ValueError: The share or the degrees of freedom are out of range.
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
    """Return the share of the distribution that lies at least as far from 0 as t.

    Args:
        t: A value of either sign.
        degrees: The degrees of freedom, any number from 1.

    Returns:
        The two-sided p-value.

    Raises:
        ValueError: There is less than one degree of freedom.
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
