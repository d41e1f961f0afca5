"""The hands that are most similar to another, by the distance of their vectors.

The distance is the root mean square of the differences of the vectors' numbers, as in the paper's
tables (its program divides the Euclidean distance by the root of the dimensions). Two random hands
are about 1.4 apart, whatever the dimensions.
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
    """A similar hand.

    Attributes:
        hand: The hand.
        distance: Its distance from the hand that was asked about.
    """

    hand: Hand
    distance: float


def distances(vectors: Array, vector: Array) -> NDArray[np.float32]:
    """Return the distances of vectors, n×dimensions, from one vector, n."""
    found: NDArray[np.float32] = np.sqrt(np.square(vectors - vector).mean(axis=1))
    return found


def nearest(vectors: Array, vector: Array, number: int) -> NDArray[np.int64]:
    """Return which vectors are nearest to one.

    Args:
        vectors: The vectors, n×dimensions.
        vector: The one vector.
        number: How many to return.

    Returns:
        The indices of the vectors, the nearest first; all if there are fewer.
    """
    away = distances(vectors, vector)
    number = min(number, len(away))
    some = np.argpartition(away, number - 1)[:number] if number else np.arange(0)
    return some[np.argsort(away[some], kind="stable")]


def similar(net: Hand2VecNet, hand: Hand, among: Hands, number: int) -> list[Similar]:
    """Return the hands that are nearest to one.

    Args:
        net: The network that makes the vectors.
        hand: The hand to compare with.
        among: The hands to choose from, n×52.
        number: How many hands to return.

    Returns:
        The hands, the nearest first; each once, and not `hand` itself.
    """
    query = hands_array([hand])
    others = np.unique(among[(among != query).any(axis=1)], axis=0)
    vectors = net.vectors(others)
    vector = net.vectors(query)[0]
    away = distances(vectors, vector)
    return [
        Similar(hand_of(others[each]), float(away[each]))
        for each in nearest(vectors, vector, number)
    ]
