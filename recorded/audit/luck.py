"""How much better a choice turned out than the chooser could expect.

A choice is worth something in each layout of the hidden cards. An honest chooser does not
know which one is true, so what its choice gains on another choice in the true layout is, on
average, what it gains in layouts drawn from all that it knows. The difference is its luck.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Luck:
    """Of one choice. `amount`: what it gained on the best in the true layout, less what it
    gains on average. `variance`: of that gain, over the layouts. `best`: the number of the
    choice that is best on average."""

    amount: float
    variance: float
    best: int


def luck(
    values: Numbers,
    true: Numbers,
    chosen: int,
    gain: Callable[[Numbers], Numbers] = lambda difference: difference,
) -> Luck:
    """The luck of a choice. `values`: of each choice in each layout. `true`: of each choice in
    the true layout. `gain`: what a difference of values is worth.

    Which choice is the best is found on one half of the layouts, and its mean taken on the
    other: the best of the layouts that it was found on is better there than elsewhere, and every
    other choice would look unlucky there, so lucky where it is tried. Then the halves change
    places.
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


def _best(values: Numbers, chosen: int) -> int:
    """The best on average; of several the one chosen, if it is among them."""
    means = values.mean(axis=1)
    return chosen if means[chosen] >= means.max() - 1e-9 else int(means.argmax())
