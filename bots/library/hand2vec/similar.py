"""The hands that are most like another: by the distance of their vectors.

Distance is the root mean square of the differences of the vectors' numbers, as in the paper's
tables (its program divides the Euclidean distance by the root of the dimensions): two
random hands are about 1.4 apart, whatever the dimensions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.hand2vec.net import Array, Hand2VecNet
from bridge_arena.bots.library.learning.hands import Hands, hand_of, hands_array
from bridge_arena.bridge.cards import Hand


@dataclass(frozen=True, slots=True)
class Similar:
    """A hand, and how far it is from the one that was asked about."""

    hand: Hand
    distance: float


def distances(vectors: Array, vector: Array) -> NDArray[np.float32]:
    """How far vectors, n×dimensions, are from one of them, n."""
    found: NDArray[np.float32] = np.sqrt(np.square(vectors - vector).mean(axis=1))
    return found


def nearest(vectors: Array, vector: Array, number: int) -> NDArray[np.int64]:
    """Which of the vectors are nearest to one, the nearest first; all where there are fewer."""
    away = distances(vectors, vector)
    number = min(number, len(away))
    some = np.argpartition(away, number - 1)[:number] if number else np.arange(0)
    return some[np.argsort(away[some], kind="stable")]


def similar(net: Hand2VecNet, hand: Hand, among: Hands, number: int) -> list[Similar]:
    """The hands among n×52 that are nearest to one, the nearest first, each once and not
    itself."""
    query = hands_array([hand])
    others = np.unique(among[(among != query).any(axis=1)], axis=0)
    vectors = net.vectors(others)
    vector = net.vectors(query)[0]
    away = distances(vectors, vector)
    return [
        Similar(hand_of(others[each]), float(away[each]))
        for each in nearest(vectors, vector, number)
    ]
