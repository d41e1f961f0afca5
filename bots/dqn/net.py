"""The Q-network in numpy: the value of each of the 52 cards in a state."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays
from bridge_arena.bots.library.learning.exact import layers
from bridge_arena.bots.library.learning.files import read_shipped
from bridge_arena.bots.library.minibridge.states import FEATURES, features

Array = NDArray[np.float32]

WEIGHTS = "weights.npz"

LAYERS = ("0", "2", "4")
"""The layers with weights, as `torch.nn.Sequential` numbers them.

Two layers of rectified units stand between the features and the 52 cards.
"""


class QNet:
    """The Q-network.

    Args:
        weights: The weights, by name.
    """

    def __init__(self, weights: dict[str, Array]) -> None:
        self._layers = layers(weights)

    @classmethod
    def read(cls, path: Path) -> QNet:
        """Read the network from a file of weights.

        Args:
            path: The file.

        Returns:
            The network.

        Raises:
            ArraysError: The file does not hold such a network.
            OSError: The file cannot be read.
        """
        arrays = Arrays(path)
        width = len(arrays.weights("0.bias", None))
        sizes = (FEATURES, width, width, 52)
        shapes: dict[str, tuple[int, ...]] = {}
        for layer, inputs, outputs in zip(LAYERS, sizes, sizes[1:], strict=False):
            shapes |= {f"{layer}.weight": (outputs, inputs), f"{layer}.bias": (outputs,)}
        return cls({name: arrays.weights(name, *shape) for name, shape in shapes.items()})

    def values(self, states: NDArray[np.uint64]) -> Array:
        """Return the values of the 52 cards in n states, n×52."""
        first, second, last = (self._layers[name] for name in LAYERS)
        x = np.maximum(first(features(states)), 0)
        return last(np.maximum(second(x), 0)).astype(np.float32)

    def best(self, state: int, legal: int) -> int:
        """Return the card of the highest value among the legal ones, a mask that is not empty."""
        values = self.values(np.array([state], np.uint64))[0]
        cards = [card for card in range(52) if legal >> card & 1]
        return cards[int(values[cards].argmax())]


@lru_cache(maxsize=1)
def shipped() -> QNet:
    """Return the network that ships."""
    return read_shipped("bridge_arena.bots.dqn", QNet.read)
