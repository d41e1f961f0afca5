"""BridgeHand2Vec in numpy: from a hand to its vector, and from two vectors to tricks.

Sztyber-Betley, Kołodziej, Betley and Duszak, BridgeHand2Vec: Bridge Hand Representation (ECAI
2023), section 2.1: a hand's 52 cards go through two layers of 32 to its vector, whose numbers
are spread alike (batch normalisation, folded into the last layer here); two partners' vectors go
through two layers of 128 to the tricks that the first takes as declarer.

The net is for the vectors. What two hands take is better asked of `bots.library.tricks`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError
from bridge_arena.bots.library.learning.files import read_shipped
from bridge_arena.bots.library.learning.hands import Hands

Array = NDArray[np.float32]

HIDDEN = 32
"""The width of the layers before the vector."""

WIDTH = 128
"""The width of the layers after two vectors."""

MIDDLE = 7
"""Tricks that the net's 0 stands for."""

_AT_ONCE = 1000
"""Hands, whose numbers the processor's cache holds."""


class Hand2VecNet:
    """The weights, by the names of `bots.library.hand2vec.modules`, the normalisation folded in."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights

    @classmethod
    def read(cls, path: Path) -> Hand2VecNet:
        """The net of a file of weights. Raises ArraysError, OSError."""
        arrays = Arrays(path)
        dimensions = len(arrays.weights("embedding.2.weight", None, HIDDEN))
        widths = (52, HIDDEN, HIDDEN, dimensions), (2 * dimensions, WIDTH, WIDTH, 5)
        weights: dict[str, Array] = {}
        for name, (*inputs, last) in zip(("embedding", "tricks"), widths, strict=True):
            outputs = [*inputs[1:], last]
            for layer, (before, after) in enumerate(zip(inputs, outputs, strict=True)):
                for part, shape in (("weight", (after, before)), ("bias", (after,))):
                    each = f"{name}.{layer}.{part}"
                    weights[each] = arrays.weights(each, *shape)
        if unknown := arrays.names - weights.keys():
            raise ArraysError(f"{path}: {min(unknown)} is no part of a hand2vec net")
        return cls(weights)

    @property
    def dimensions(self) -> int:
        """The numbers of a vector."""
        return len(self.weights["embedding.2.bias"])

    def vectors(self, hands: Hands) -> Array:
        """The vectors of hands, n×52 of 0 and 1, as n×dimensions: over random hands each
        number has mean 0 and standard deviation 1."""
        found = np.empty((len(hands), self.dimensions), np.float32)
        for start in range(0, len(hands), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            found[part] = self._through("embedding", hands[part].astype(np.float32))
        return found

    def tricks(self, vectors: Array, partners: Array) -> Array:
        """The mean tricks of pairs of vectors, n×5×2: denominations from clubs, the first
        hand's owner as declarer and the second's."""
        found = np.empty((len(vectors), 5, 2), np.float32)
        for start in range(0, len(vectors), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            two = (vectors[part], partners[part])
            for declarer, seen in enumerate((two, two[::-1])):
                told = self._through("tricks", np.concatenate(seen, axis=1))
                found[part, :, declarer] = told + MIDDLE
        return found

    def estimate(self, hands: Hands, partners: Hands) -> Array:
        """The mean tricks of pairs of hands, both n×52, as n×5×2."""
        return self.tricks(self.vectors(hands), self.vectors(partners))

    def _through(self, name: str, x: Array) -> Array:
        for layer in range(3):
            if layer:
                x = np.where(x > 0, x, np.expm1(np.minimum(x, 0)))
            x = x @ self.weights[f"{name}.{layer}.weight"].T
            x += self.weights[f"{name}.{layer}.bias"]
        return x


@lru_cache(maxsize=1)
def shipped() -> Hand2VecNet:
    """The net that ships: eight dimensions."""
    return read_shipped("bridge_arena.bots.library.hand2vec", Hand2VecNet.read)
