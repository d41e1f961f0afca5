"""Format figures as the benchmarks print them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.reports.common.wording import p_text
from bridge_arena.tournaments.statistics.student import two_sided_p

Observations = NDArray[np.floating] | NDArray[np.integer]


def standard_error(observations: Observations) -> Any:
    """Return the standard error of the mean of two or more observations, for each column."""
    return observations.std(axis=0, ddof=1) / np.sqrt(len(observations))


def figure(observations: Observations, digits: int = 3, sign: str = "") -> str:
    """Return mean ± standard error of two or more observations; `sign` "+" shows it always."""
    error = standard_error(observations)
    return f"{observations.mean():{sign}.{digits}f} ± {error:.{digits}f}"


def p_value(difference: NDArray[np.floating]) -> str:
    """Return the p-value of a paired difference, in words (Student's t); "" if all are the same."""
    if not (error := standard_error(difference)):
        return ""
    t = difference.mean() / error
    return p_text(two_sided_p(float(t), len(difference) - 1))
