"""Hadjur's Q-network in numpy: the value of each of the 52 cards in a state, and its player."""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.layers import layers
from bridge_arena.bots.library.minibridge.game import Game
from bridge_arena.bots.library.minibridge.games import state_of

Array = NDArray[np.float32]

FEATURES = 228
"""The numbers that the network reads of a state: hands 8, trick 4×52, earlier tricks 12."""

LAYERS = ("0", "2", "4")
"""The layers with weights, as `torch.nn.Sequential` numbers them.

Two layers of rectified units stand between the features and the 52 cards.
"""


class QNet:
    """The Q-network."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self._layers = layers(weights)

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


class NetPlayer:
    """A declarer of fast games that plays the legal card of the highest value."""

    def __init__(self, net: QNet) -> None:
        self._net = net

    def __call__(self, game: Game, _: Random) -> int:
        """Return the legal card of the highest value."""
        return self._net.best(state_of(game), game.legal())


def features(states: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Return states as the network reads them, n×`FEATURES` of 0 and 1."""
    found = np.zeros((len(states), FEATURES), np.float32)
    for bit in range(8):
        found[:, bit] = states >> np.uint64(36 + bit) & np.uint64(1)
    for bit in range(12):
        found[:, 216 + bit] = states >> np.uint64(24 + bit) & np.uint64(1)
    for place in range(4):
        cards = (states >> np.uint64(6 * place) & np.uint64(63)).astype(np.int64)
        rows = np.flatnonzero(cards)
        found[rows, 8 + 52 * place + cards[rows] - 1] = 1
    return found
