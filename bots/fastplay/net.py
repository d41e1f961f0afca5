"""The network of card costs in numpy: its input is what a player sees of the board.

Its layers are the same for all suits (`bots.library.learning.suits`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.seen import INPUTS, Positions, Seen, seen
from bridge_arena.bots.library.learning.arrays import Arrays, read_shipped
from bridge_arena.bots.library.learning.layers import (
    Array,
    Shapes,
    SuitLayers,
    mixing,
    read_weights,
    trunk,
)


class PlayNet:
    """A network that estimates the tricks that each card loses, double dummy.

    Args:
        weights: The weights, by name.
    """

    def __init__(self, weights: dict[str, Array]) -> None:
        self._layers = SuitLayers(weights)

    @classmethod
    def read(cls, path: Path) -> PlayNet:
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
        width = len(arrays.weights("first.own.weight", None, INPUTS))
        shapes: Shapes = trunk(INPUTS, width, arrays.names) | mixing("cards", width, 13)
        return cls(read_weights(arrays, shapes, frozenset()))

    def costs(self, positions: Positions) -> Array:
        """Return the cost of each of the 52 cards in tricks, n×52.

        Only the costs of cards that may be played have a meaning.

        Args:
            positions: The n positions.

        Returns:
            The expected costs.
        """
        shown: Seen = seen(positions)
        costs = self._layers.mix("cards", self._layers.trunk(shown.suits))
        return shown.by_card(costs.astype(np.float32))

    def cheapest(self, positions: Positions, legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the card of the lowest cost among the legal ones of each position.

        Args:
            positions: The n positions.
            legal: The cards that may be played, n×52.

        Returns:
            The cards, n.
        """
        found: NDArray[np.int64] = legal.argmax(axis=1)
        free = np.flatnonzero(legal.sum(axis=1) > 1)
        costs = self.costs(positions.rows(free))
        found[free] = np.where(legal[free], costs, np.inf).argmin(axis=1)
        return found


@lru_cache(maxsize=1)
def shipped() -> PlayNet:
    """Return the network that ships."""
    return read_shipped("bridge_arena.bots.fastplay", PlayNet.read)
