"""How much better a choice turned out than the player could expect.

A choice has a value in each layout of the hidden cards. An honest player does not know which layout
is true. So what his choice gains over another one in the true layout is, on average, what it gains
in layouts drawn from all that he knows. The difference is his luck.

The best of several choices is partly the luckiest: its mean over the layouts by which it was chosen
is too high. So it is chosen on one half of the layouts, and its mean gain is taken on the other;
then the halves change places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.statistics.means import Mean

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Luck:
    amount: float  # its gain over the best choice in the true layout, less its mean gain
    variance: float  # the variance of that gain over the layouts
    best: int  # the number of the choice that is best on average


def luck(
    values: Numbers,
    true: Numbers,
    chosen: int,
    gain: Callable[[Numbers], Numbers] = lambda difference: difference,
) -> Luck:
    """Return the luck of a choice.

    If the best choice were found on the same layouts, every other choice would look unlucky there,
    and so lucky in the true layout.

    Args:
        values: The value of each choice in each layout, choices×layouts.
        true: The value of each choice in the true layout.
        gain: Returns what differences of values are worth.
    """
    halves = values[:, ::2], values[:, 1::2]
    amounts: list[float] = []
    variances: list[float] = []
    for finding, taking in (halves, halves[::-1]):
        best = _best(finding, chosen)
        gains = gain(taking[chosen] - taking[best])
        truly = gain(true[[chosen]] - true[[best]])[0]
        amounts.append(float(truly - gains.mean()))
        variances.append(float(gains.var()))
    return Luck(sum(amounts) / 2, sum(variances) / 2, _best(values, chosen))


def best_other(gains: Numbers) -> tuple[int, Mean]:
    """Return the best of the other choices, and its mean gain over the one that was made.

    `gains` are those of each other choice in each layout, choices×layouts; an even number.
    """
    taken = np.empty(gains.shape[1])
    for half in (0, 1):
        best = gains[:, half::2].mean(axis=1).argmax()
        taken[1 - half :: 2] = gains[best, 1 - half :: 2]
    return int(gains.mean(axis=1).argmax()), Mean.of(taken.tolist())


def _best(values: Numbers, chosen: int) -> int:
    """Return the choice that is best on average; of equals the one chosen, if it is one."""
    means = values.mean(axis=1)
    return chosen if means[chosen] >= means.max() - 1e-9 else int(means.argmax())
