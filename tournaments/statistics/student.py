"""Student's t for any degrees of freedom: the t of a share, and the share beyond a t.

scipy has them, but nothing else of it is needed here.
"""

from __future__ import annotations

from math import atan, cos, exp, lgamma, pi, sqrt, tan

import numpy as np

_PARTS = 400
"""Of Simpson's rule, an even number: errors are below 1e-8 for shares up to 0.999."""

_ENDLESS = 1e6
"""Degrees of freedom from which on the distribution is taken as it is there."""

_STEPS = 200
"""Newton's steps at most; ten are usual."""

# With t = sqrt(degrees) tan(angle) the density is that of cos(angle)^(degrees - 1).


def two_sided_t(share: float, degrees: float) -> float:
    """The t within which, on both sides of 0, `share` (0 to below 1) of the distribution
    with `degrees` of freedom (any from 1) lies. Raises ValueError out of these ranges."""
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
    """The share of the distribution with `degrees` of freedom (any from 1) that lies at least
    as far from 0 as `t`. Raises ValueError below one degree."""
    if not degrees >= 1:
        raise ValueError(f"no distribution of t has {degrees} degrees of freedom")
    degrees = min(degrees, _ENDLESS)
    angle = atan(abs(t) / sqrt(degrees))
    return max(0.0, 1.0 - _inside(angle, degrees) / _whole(degrees))


def _whole(degrees: float) -> float:
    """The density's integral over the angles from 0 on."""
    return sqrt(pi) / 2 * exp(lgamma(degrees / 2) - lgamma((degrees + 1) / 2))


def _inside(angle: float, degrees: float) -> float:
    """The same up to an angle, by Simpson's rule."""
    weights = np.full(_PARTS + 1, 2.0)
    weights[1::2] = 4.0
    weights[[0, -1]] = 1.0
    heights = np.cos(np.linspace(0, angle, _PARTS + 1)) ** (degrees - 1)
    return angle / _PARTS / 3 * float(weights @ heights)
