"""Figures as the benchmarks print them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def figure(
    observations: NDArray[np.floating] | NDArray[np.integer], digits: int = 3, sign: str = ""
) -> str:
    """Mean ± standard error, of two observations or more. `sign`: "+" shows it always."""
    error = observations.std(ddof=1) / np.sqrt(len(observations))
    return f"{observations.mean():{sign}.{digits}f} ± {error:.{digits}f}"
