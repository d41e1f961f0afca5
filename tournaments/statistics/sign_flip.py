"""The paired sign-flip test: could the differences as well have gone the other way?

Two teams play every board under the same conditions. Were they equally good, each
board's swing would be as likely to go the other way: the p-value is the share of
all assignments of signs whose sum is at least as far from zero as the one seen.
No distribution is assumed, which suits IMPs: many zeros and a few large swings.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

EXACT_UP_TO = 2000
"""Swings other than zero up to which all assignments of signs are counted."""

FLIPS = 10_000
"""Assignments drawn where there are too many to count."""


def sign_flip_p_value(differences: Sequence[int], *, seed: int = 0) -> float | None:
    """The two-sided p-value of paired whole differences; None without any difference.

    Exact up to EXACT_UP_TO differences other than zero (zeros have no sign to flip);
    beyond, an estimate from FLIPS assignments drawn from `seed`.
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
        # The ends are still zero where the roll wraps round.
        chance = (np.roll(chance, size) + np.roll(chance, -size)) / 2
    tails = chance[: reach - observed + 1].sum() + chance[reach + observed :].sum()
    return min(1.0, float(tails))


def _estimate(sizes: Sequence[int], observed: int, seed: int) -> float:
    values, counts = np.unique(sizes, return_counts=True)
    positive = np.random.default_rng(seed).binomial(counts, 0.5, size=(FLIPS, len(counts)))
    sums = (2 * positive - counts) @ values
    extreme = int((np.abs(sums) >= observed).sum())
    # The assignment that was seen is one of those possible, so p is never zero.
    return (extreme + 1) / (FLIPS + 1)
