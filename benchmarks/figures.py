"""Figures as the benchmarks print them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tournaments.report.wording import p_text
from tournaments.statistics.student import two_sided_p


def figure(
    observations: NDArray[np.floating] | NDArray[np.integer], digits: int = 3, sign: str = ""
) -> str:
    """Mean ± standard error, of two observations or more. `sign`: "+" shows it always."""
    error = observations.std(ddof=1) / np.sqrt(len(observations))
    return f"{observations.mean():{sign}.{digits}f} ± {error:.{digits}f}"


def p_value(difference: NDArray[np.floating]) -> str:
    """Of a paired difference, in words (Student's t)."""
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    return p_text(two_sided_p(float(difference.mean() / error), len(difference) - 1))
