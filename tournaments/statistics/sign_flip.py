"""The paired sign-flip test of the hypothesis that two teams are equally good.

Two teams play every board under the same conditions. If they are equally good, each board's swing
is as likely to go the other way. The p-value is the share of all assignments of signs whose sum is
at least as far from zero as the observed sum. The test assumes no distribution, which suits IMPs:
they have many zeros and a few large swings.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

EXACT_UP_TO = 2000
"""The largest number of non-zero swings for which all assignments of signs are counted."""

FLIPS = 10_000
"""The number of random assignments where there are too many to count."""


def sign_flip_p_value(differences: Sequence[int], *, seed: int = 0) -> float | None:
    """Return the two-sided p-value of paired differences.

    It is exact up to EXACT_UP_TO non-zero differences (zeros have no sign to flip). Beyond that it
    is an estimate from FLIPS random assignments.

    Args:
        differences: One whole number for each pair, such as the IMPs of a board.
        seed: The seed of the random assignments.

    Returns:
        The p-value; None without differences.
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
