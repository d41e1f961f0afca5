"""The network in numpy: what each call is worth where `natural`'s card leaves a choice, in IMPs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.disciplined.choices import READ, Choices
from bridge_arena.bots.library.learning.arrays import Arrays, read_shipped
from bridge_arena.bots.library.learning.hands import FEATURES
from bridge_arena.bots.library.learning.hands import features as features_of_hands
from bridge_arena.bots.library.learning.layers import Shapes, hidden, layers, linear
from bridge_arena.bots.neural.net import PUBLIC
from bridge_arena.bridge.calls import CALLS

Array = NDArray[np.float32]

INPUTS = FEATURES + PUBLIC + READ + 2 * len(CALLS)

_SCALE = np.array([*[20, 20, *[8] * 8] * 4, *[1] * 6], np.float32)
"""What the numbers of a reading are divided by: points, cards, and what is 0 or 1."""


def features(choices: Choices) -> Array:
    """Return what the network sees, n×`INPUTS`."""
    natural = np.arange(len(CALLS)) == choices.natural[:, None]
    parts = [
        features_of_hands(choices.hands),
        choices.known,
        choices.read / _SCALE,
        choices.fitting,
        natural,
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


class WorthNet:
    """The network."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights
        self._layers = layers(weights)

    @classmethod
    def read(cls, path: Path) -> WorthNet:
        """Read the network from a file of weights."""
        arrays = Arrays(path)
        width = len(arrays.weights("first.weight", None, INPUTS))
        shapes: Shapes = linear("first", INPUTS, width) | linear("out", width, len(CALLS))
        shapes |= hidden("hidden", width, arrays.names)
        return cls({name: arrays.weights(name, *shape) for name, shape in shapes.items()})

    def worth(self, choices: Choices) -> Array:
        """Return the IMPs that calls are worth more than natural's, n×38, or -inf."""
        x = np.maximum(self._layers["first"](features(choices)), 0)
        layer = 0
        while deep := self._layers.get(f"hidden.{layer}"):
            x = x + np.maximum(deep(x), 0)
            layer += 1
        outputs = self._layers["out"](x)
        own = np.take_along_axis(outputs, choices.natural[:, None].astype(np.int64), axis=1)
        return np.where(choices.fitting, outputs - own, -np.inf).astype(np.float32)

    def best(self, choices: Choices) -> NDArray[np.integer]:
        """Return the calls that are worth most, n."""
        best: NDArray[np.integer] = self.worth(choices).argmax(axis=1)
        return best


@lru_cache(maxsize=1)
def shipped() -> WorthNet:
    """Return the network that ships."""
    return read_shipped("bridge_arena.bots.disciplined", WorthNet.read)
