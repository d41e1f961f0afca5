"""The net in numpy: from what a player sees to what each card costs.

Its layers are alike for all suits (`bots.library.learning.suits`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.seen import INPUTS, Positions, Seen, seen
from bridge_arena.bots.library.learning.arrays import Arrays
from bridge_arena.bots.library.learning.files import read_shipped
from bridge_arena.bots.library.learning.suits import (
    Array,
    Shapes,
    SuitLayers,
    mixing,
    read_weights,
    trunk,
)


class PlayNet:
    """Tells of each card the tricks that the side is expected to lose by it, double dummy."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self._layers = SuitLayers(weights)

    @classmethod
    def read(cls, path: Path) -> PlayNet:
        """The net of a file of weights. Raises ArraysError, OSError."""
        arrays = Arrays(path)
        width = len(arrays.weights("first.own.weight", None, INPUTS))
        shapes: Shapes = trunk(INPUTS, width, arrays.names) | mixing("cards", width, 13)
        return cls(read_weights(arrays, shapes, frozenset()))

    def costs(self, positions: Positions) -> Array:
        """Of each of the 52 cards, n×52; it means something of those that may be played."""
        shown: Seen = seen(positions)
        return shown.by_card(self._layers.mix("cards", self._layers.trunk(shown.suits)))

    def cheapest(self, positions: Positions, legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The card that costs least of those that may be played, n×52 of them: n cards."""
        found: NDArray[np.int64] = np.where(legal, self.costs(positions), np.inf).argmin(axis=1)
        return found


@lru_cache(maxsize=1)
def shipped() -> PlayNet:
    """The net that ships."""
    return read_shipped("bridge_arena.bots.fastplay", PlayNet.read)
