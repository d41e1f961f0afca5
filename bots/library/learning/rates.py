"""The learning rate over the steps of a training."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi


def rise_and_fall(steps: int, rising: float) -> Callable[[int], float]:
    """Return a function from a step, counted from 0, to its share of the learning rate.

    Args:
        steps: The number of steps of the training.
        rising: The share of the steps in which the rate rises evenly; after them it falls as a
            cosine does, to 0 after the last step.

    Returns:
        The function.
    """
    top = min(max(1.0, rising * steps), steps / 2)

    def share(step: int) -> float:
        if step < top:
            return (step + 1) / (top + 1)
        return 0.5 + 0.5 * cos(pi * min(1.0, (step - top) / (steps - top)))

    return share
