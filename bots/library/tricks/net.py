"""The estimate in numpy: from two hands to the tricks that either takes as declarer.

The tricks are modelled as a normal distribution, rounded to whole tricks from 0 to 13. The network
gives its mean and its deviation for each denomination and declarer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import erf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, read_shipped
from bridge_arena.bots.library.learning.hands import Hands
from bridge_arena.bots.library.learning.layers import (
    Array,
    Exact,
    SuitLayers,
    linear,
    mixing,
    read_weights,
    rounded,
    trunk,
)

INPUTS = 26
"""The numbers that the network reads of a suit: the first hand's cards, then the second's."""

OUTPUTS = 4
"""The numbers of the network's output for a denomination: the means with either hand's owner as
declarer, less 7, and the logarithms of their deviations."""

LOGARITHMS = (-3.0, 2.0)
"""The bounds of these logarithms."""

_AT_ONCE = 100
"""Pairs computed at a time: their numbers fit into the processor's cache."""

_ERF = np.vectorize(erf, otypes=[np.float32])


@dataclass(frozen=True, slots=True)
class Estimate:
    """The tricks of n pairs of hands, by denomination (from clubs) and declarer."""

    mean: NDArray[np.float32]
    deviation: NDArray[np.float32]  # the standard deviations, n×5×2

    def distribution(self) -> NDArray[np.float32]:
        """Return the probabilities of 0..13 tricks, n×5×2×14."""
        bounds = (np.arange(13) + 0.5 - self.mean[..., None]) / self.deviation[..., None]
        below = 0.5 + 0.5 * _ERF(bounds / np.sqrt(2))
        ends = [(0, 0)] * (below.ndim - 1)
        padded = np.pad(below, [*ends, (1, 1)], constant_values=((0, 0),) * below.ndim)
        padded[..., -1] = 1.0
        return np.diff(padded, axis=-1).astype(np.float32)


class TricksNet:
    """The network of the estimate, with the correlation of the denominations, 5×5.

    Its layers are the same for all suits (`bots.library.learning.layers`); the mean of the suits at
    the end gives notrump.
    """

    def __init__(self, weights: dict[str, Array], correlation: Array) -> None:
        self.weights = weights
        self.correlation = correlation
        self._layers = SuitLayers(weights)

    @classmethod
    def read(cls, path: Path) -> TricksNet:
        """Read the network from a file of weights."""
        arrays = Arrays(path)
        width = len(arrays.weights("first.own.weight", None, INPUTS))
        shapes = trunk(INPUTS, width, arrays.names) | mixing("suits", width, OUTPUTS)
        shapes |= linear("notrump.0", width, width) | linear("notrump.1", width, OUTPUTS)
        weights = read_weights(arrays, shapes, frozenset({"correlation"}))
        return cls(weights, arrays.weights("correlation", 5, 5))

    @property
    def between(self) -> int:
        """The number of layers between the first and the last."""
        return self._layers.steps

    def estimate(self, hands: Hands, partners: Hands) -> Estimate:
        """Return the tricks of pairs of hands, n×52 each: the mean of outputs for both orders."""
        outputs = np.zeros((len(hands), 5, OUTPUTS))
        for start in range(0, len(hands), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            one = self._outputs(suits_of(hands[part], partners[part]))
            other = self._outputs(suits_of(partners[part], hands[part]))
            outputs[part] = (one + other[..., [1, 0, 3, 2]]) / 2
        deviation = rounded(np.exp(np.clip(outputs[..., 2:], *LOGARITHMS)))
        return Estimate((outputs[..., :2] + 7).astype(np.float32), deviation.astype(np.float32))

    def _outputs(self, suits: Array) -> Exact:
        """Return the network's output, n×5×`OUTPUTS`, for n×4×`INPUTS`."""
        layers = self._layers
        x = layers.trunk(suits)
        notrump = np.maximum(layers.apply("notrump.0", x.mean(axis=1)), 0)
        of_notrump = layers.apply("notrump.1", notrump)[:, None]
        return np.concatenate([layers.mix("suits", x), of_notrump], axis=1)


def suits_of(hands: Hands, partners: Hands) -> Array:
    """Return pairs of hands, n×52 each, as the network reads them, n×4×`INPUTS`."""
    two = [held.reshape(-1, 4, 13) for held in (hands, partners)]
    return np.concatenate(two, axis=2).astype(np.float32)


@lru_cache(maxsize=1)
def shipped() -> TricksNet:
    """Return the network that ships."""
    return read_shipped("bridge_arena.bots.library.tricks", TricksNet.read)
