"""The estimate in numpy: from four hands to the odds of every number of tricks.

The network is a transformer. It has a token for each suit, with the seats of the suit's cards, and
one for notrump, the same in every deal. All suits go through the same layers, so suits that change
places change nothing else. Which seat comes first would matter a little: the estimate is the mean
of all four turns of the table.

The odds are those of the network's own doubt: the tricks of a deal are certain. The likeliest
number of tricks is therefore no unbiased estimate of a score; the mean over the odds is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, read_shipped
from bridge_arena.bots.library.learning.hands import Hands
from bridge_arena.bots.library.learning.layers import Array, Shapes, linear, read_weights

INPUTS = 52
"""The numbers that the network reads of a suit: the cards of each seat, clockwise."""

TRICKS = 14
"""The numbers of tricks that a declarer may take, from 0."""

OUTPUTS = 4 * TRICKS
"""The numbers of the network's output for a denomination: a logit of each number of tricks."""

HEADS = 4
"""The parts into which the numbers of a token are divided when tokens look at each other."""

SMALL = 1e-5
"""What is added to a variance before it is divided by."""

_AT_ONCE = 256
"""Deals computed at a time: their numbers fit into the processor's cache."""


class TablesNet:
    """The network of the estimate."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights
        self._layers = _layers(weights)

    @classmethod
    def read(cls, path: Path) -> TablesNet:
        """Read the network from a file of weights."""
        arrays = Arrays(path)
        width = len(arrays.weights("suit.weight", None, INPUTS))
        shapes: Shapes = {"notrump": (width,)}
        shapes |= linear("suit", INPUTS, width) | linear("out", width, OUTPUTS)
        for layer in range(_layers(arrays.names)):
            shapes |= linear(f"layers.{layer}.looking", width, 3 * width)
            shapes |= linear(f"layers.{layer}.seen", width, width)
            shapes |= linear(f"layers.{layer}.wide", width, 4 * width)
            shapes |= linear(f"layers.{layer}.narrow", 4 * width, width)
        return cls(read_weights(arrays, shapes, frozenset()))

    def chances(self, hands: Hands) -> NDArray[np.float32]:
        """Return the odds of 0..13 tricks, n×5×4×14, for hands n×4×52, clockwise from any seat.

        Denominations are from clubs, declarers as the hands are given.
        """
        odds = np.zeros((len(hands), 5, 4, TRICKS), np.float32)
        for start in range(0, len(hands), _AT_ONCE):
            suits = suits_of(hands[start : start + _AT_ONCE])
            for turn in range(4):
                of_turn = self._odds_as_seated(np.roll(suits, -turn, axis=2))
                odds[start : start + _AT_ONCE] += np.roll(of_turn, turn, axis=2) / 4
        return odds

    def _odds_as_seated(self, suits: Array) -> Array:
        """Return the odds, n×5×4×14, as the table stands."""
        number, width = len(suits), len(self.weights["notrump"])
        x = np.empty((number, 5, width), np.float32)
        x[:, :4] = self._apply("suit", suits.reshape(number, 4, INPUTS))
        x[:, 4] = self.weights["notrump"]
        for layer in range(self._layers):
            x += self._apply(f"layers.{layer}.seen", self._looked(layer, x))
            wide = np.maximum(self._apply(f"layers.{layer}.wide", _even(x)), 0)
            x += self._apply(f"layers.{layer}.narrow", wide)
        return _odds(self._apply("out", _even(x)).reshape(number, 5, 4, TRICKS))

    def _looked(self, layer: int, x: Array) -> Array:
        """Return what each token sees of all, n×5×width."""
        looking = self._apply(f"layers.{layer}.looking", _even(x))
        queries, keys, values = looking.reshape(len(x), 5, 3, HEADS, -1).transpose(2, 0, 3, 1, 4)
        near = _odds(queries @ keys.swapaxes(2, 3) * np.float32(queries.shape[-1] ** -0.5))
        tokens: Array = (near @ values).swapaxes(1, 2).reshape(x.shape)
        return tokens

    def _apply(self, name: str, x: Array) -> Array:
        rows = x.reshape(-1, x.shape[-1]) @ self.weights[f"{name}.weight"].T
        rows += self.weights[f"{name}.bias"]
        return rows.reshape(*x.shape[:-1], rows.shape[-1])


def suits_of(hands: Hands) -> Array:
    """Return hands, n×4×52, as the network reads them, n×4×4×13: suits, then seats."""
    return hands.reshape(-1, 4, 4, 13).swapaxes(1, 2).astype(np.float32)


def _layers(names: Mapping[str, Array] | frozenset[str]) -> int:
    return sum(name.endswith("looking.weight") for name in names)


def _even(x: Array) -> Array:
    """Return tokens with mean 0 and deviation 1."""
    off = x - x.mean(axis=-1, keepdims=True)
    variance = np.square(off).mean(axis=-1, keepdims=True)
    tokens: Array = off / np.sqrt(variance + np.float32(SMALL))
    return tokens


def _odds(logits: Array) -> Array:
    odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
    normal: Array = odds / odds.sum(axis=-1, keepdims=True)
    return normal


@lru_cache(maxsize=1)
def shipped() -> TablesNet:
    """Return the network that ships."""
    return read_shipped("bridge_arena.bots.library.tables", TablesNet.read)
