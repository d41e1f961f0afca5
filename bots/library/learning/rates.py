"""How the rate of learning goes over a training."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi


def rise_and_fall(steps: int, rising: float) -> Callable[[int], float]:
    """The share of the rate that each step has, from step 0: it rises evenly for the share
    `rising` of the steps, then falls as a cosine does, to 0 after the last."""
    top = min(max(1.0, rising * steps), steps / 2)

    def share(step: int) -> float:
        if step < top:
            return (step + 1) / (top + 1)
        return 0.5 + 0.5 * cos(pi * min(1.0, (step - top) / (steps - top)))

    return share
