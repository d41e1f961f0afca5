"""The estimate in numpy: from two hands to the tricks that either takes as declarer.

Tricks are taken to be normal, rounded to whole tricks in 0..13, with the mean and the
deviation that the net gives for each denomination and declarer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import erf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bots.learning.arrays import Arrays
from bots.learning.hands import Hands

INPUTS = 104
"""The cards of the first hand, then of the second."""

OUTPUTS = 20
"""Means of the five denominations, clubs first, each of the first hand's owner as declarer and
of the second's; then the logarithms of their deviations."""

LOGARITHMS = (-3.0, 2.0)
"""Within these bounds."""

_ERF = np.vectorize(erf, otypes=[np.float32])


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tricks of pairs of hands, n×5×2: denominations from clubs, declarers first and second."""

    mean: NDArray[np.float32]
    deviation: NDArray[np.float32]

    def distribution(self) -> NDArray[np.float32]:
        """The probability of 0..13 tricks, n×5×2×14."""
        bounds = (np.arange(13) + 0.5 - self.mean[..., None]) / self.deviation[..., None]
        below = 0.5 + 0.5 * _ERF(bounds / np.sqrt(2))
        ends = [(0, 0)] * (below.ndim - 1)
        padded = np.pad(below, [*ends, (1, 1)], constant_values=((0, 0),) * below.ndim)
        padded[..., -1] = 1.0
        return np.diff(padded, axis=-1).astype(np.float32)


class TricksNet:
    """The weights of the estimate: layers of ELU but the last; and how the tricks of the five
    denominations go together in a layout, 5×5: the correlation of their distances from the
    mean."""

    def __init__(
        self,
        layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]],
        correlation: NDArray[np.float32],
    ) -> None:
        self.layers = layers
        self.correlation = correlation

    @classmethod
    def read(cls, path: Path) -> TricksNet:
        """The net of a file of weights. Raises ArraysError, OSError."""
        arrays = Arrays(path)
        number = max(1, sum(name.startswith("weight") for name in arrays.names))
        layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]] = []
        width = INPUTS
        for n in range(number):
            weight = arrays.weights(f"weight{n}", width, OUTPUTS if n + 1 == number else None)
            width = weight.shape[1]
            layers.append((weight, arrays.weights(f"bias{n}", width)))
        return cls(layers, arrays.weights("correlation", 5, 5))

    def estimate(self, hands: Hands, partners: Hands) -> Estimate:
        """The tricks of pairs of hands, both n×52."""
        x = np.concatenate([hands, partners], axis=1).astype(np.float32)
        for weight, bias in self.layers[:-1]:
            x = x @ weight + bias
            x = np.where(x > 0, x, np.expm1(np.minimum(x, 0)))
        weight, bias = self.layers[-1]
        x = x @ weight + bias
        half = OUTPUTS // 2
        return Estimate(
            x[:, :half].reshape(-1, 5, 2),
            np.exp(np.clip(x[:, half:], *LOGARITHMS)).reshape(-1, 5, 2),
        )


@lru_cache(maxsize=1)
def shipped() -> TricksNet:
    """The net that ships."""
    with resources.as_file(resources.files("bots.tricks") / "weights.npz") as path:
        return TricksNet.read(path)
