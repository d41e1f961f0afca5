"""Several tests at once: Holm's correction of their p-values."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values corrected for the number of tests, in the same order.

    Whichever of the hypotheses are true, the probability that at least one of them gets a corrected
    p-value below x is at most x.
    """
    corrected = [0.0] * len(p_values)
    most = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda each: p_values[each])):
        most = max(most, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = most
    return corrected
