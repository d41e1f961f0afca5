"""BridgeHand2Vec in numpy: from a hand to its vector, from two vectors to tricks; similar hands.

The network is that of Sztyber-Betley, Kołodziej, Betley and Duszak, BridgeHand2Vec: Bridge Hand
Representation (ECAI 2023), section 2.1. The 52 cards of a hand go through two layers of 32 to its
vector. Batch normalisation, folded into the last layer here, gives all numbers of the vector the
same spread. The vectors of two partners go through two layers of 128 to the tricks that the first
takes as declarer. The network is meant for the vectors: `bots.library.tricks` estimates the tricks
of two hands better.

The distance of two vectors is the root mean square of the differences of their numbers, as in the
paper's tables (its program divides the Euclidean distance by the root of the dimensions). Two
random hands are about 1.4 apart, whatever the dimensions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError, read_shipped
from bridge_arena.bots.library.learning.hands import Hands, hand_of, hands_array
from bridge_arena.bots.library.learning.layers import Exact, Shapes, layers, linear
from bridge_arena.bridge.cards import Hand

Array = NDArray[np.float32]

HIDDEN = 32
"""The width of the layers before the vector."""

WIDTH = 128
"""The width of the layers after two vectors."""

MIDDLE = 7
"""The tricks that an output of 0 stands for."""

_AT_ONCE = 1000
"""Hands computed at a time: their numbers fit into the processor's cache."""


class Hand2VecNet:
    """The network, with the normalisation folded into its weights."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights
        self._layers = layers(weights)

    @classmethod
    def read(cls, path: Path) -> Hand2VecNet:
        """Read the network from a file of weights."""
        arrays = Arrays(path)
        dimensions = len(arrays.weights("embedding.2.weight", None, HIDDEN))
        widths = (52, HIDDEN, HIDDEN, dimensions), (2 * dimensions, WIDTH, WIDTH, 5)
        shapes: Shapes = {}
        for name, sizes in zip(("embedding", "tricks"), widths, strict=True):
            for layer, (before, after) in enumerate(pairwise(sizes)):
                shapes |= linear(f"{name}.{layer}", before, after)
        if unknown := arrays.names - shapes.keys():
            raise ArraysError(f"{path}: {min(unknown)} is no part of a hand2vec net")
        return cls({name: arrays.weights(name, *shape) for name, shape in shapes.items()})

    @property
    def dimensions(self) -> int:
        """The numbers of a vector."""
        return len(self.weights["embedding.2.bias"])

    def vectors(self, hands: Hands) -> Array:
        """Return vectors of hands, whose numbers have mean 0 and deviation 1 over random hands."""
        vectors = np.empty((len(hands), self.dimensions), np.float32)
        for start in range(0, len(hands), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            vectors[part] = self._through("embedding", hands[part])
        return vectors

    def tricks(self, vectors: Array, partners: Array) -> Array:
        """Return the mean tricks of pairs, clubs first, by the first hand and the second, n×5×2."""
        tricks = np.empty((len(vectors), 5, 2), np.float32)
        for start in range(0, len(vectors), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            two = (vectors[part], partners[part])
            for declarer, order in enumerate((two, two[::-1])):
                mean = self._through("tricks", np.concatenate(order, axis=1))
                tricks[part, :, declarer] = mean + MIDDLE
        return tricks

    def estimate(self, hands: Hands, partners: Hands) -> Array:
        """Return the mean tricks of pairs of hands, both n×52, as n×5×2."""
        return self.tricks(self.vectors(hands), self.vectors(partners))

    def _through(self, name: str, x: Hands | Array) -> Exact:
        y = self._layers[f"{name}.0"](x)
        for layer in (1, 2):
            y = self._layers[f"{name}.{layer}"](np.where(y > 0, y, np.expm1(np.minimum(y, 0))))
        return y


@lru_cache(maxsize=1)
def shipped() -> Hand2VecNet:
    """Return the network that ships, of eight dimensions."""
    return read_shipped("bridge_arena.bots.library.hand2vec", Hand2VecNet.read)


@dataclass(frozen=True, slots=True)
class Similar:
    """A similar hand."""

    hand: Hand
    distance: float  # its distance from the hand that was asked about


def distances(vectors: Array, vector: Array) -> NDArray[np.float32]:
    """Return the distances of vectors, n×dimensions, from one vector, n."""
    away: NDArray[np.float32] = np.sqrt(np.square(vectors - vector).mean(axis=1))
    return away


def nearest(vectors: Array, vector: Array, number: int) -> NDArray[np.int64]:
    away = distances(vectors, vector)
    number = min(number, len(away))
    some = np.argpartition(away, number - 1)[:number] if number else np.arange(0)
    return some[np.argsort(away[some], kind="stable")]


def similar(net: Hand2VecNet, hand: Hand, among: Hands, number: int) -> list[Similar]:
    """Return the hands that are nearest to one."""
    query = hands_array([hand])
    others = np.unique(among[(among != query).any(axis=1)], axis=0)
    vectors = net.vectors(others)
    vector = net.vectors(query)[0]
    away = distances(vectors, vector)
    return [
        Similar(hand_of(others[row]), float(away[row])) for row in nearest(vectors, vector, number)
    ]
