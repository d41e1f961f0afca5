"""The features of a hand for the Q-networks: its cards, the length of its suits and its points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, lengths, points

LONGEST = 8
MOST_POINTS = 24

FEATURES = 52 + 4 * LONGEST + MOST_POINTS
"""The number of features of a hand.

They are its 52 cards; for each suit, whether it has at least 1, 2 ... `LONGEST` cards; and whether
there are at least 1, 2 ... `MOST_POINTS` high-card points.
"""


def features(hands: Hands) -> NDArray[np.float32]:
    """Return the features of hands, from n×52 to n×`FEATURES`, as 0 and 1."""
    number = len(hands)
    long = lengths(hands)[:, :, None] > np.arange(LONGEST)
    strong = points(hands)[:, None] > np.arange(MOST_POINTS)
    return np.concatenate([hands, long.reshape(number, -1), strong], axis=1).astype(np.float32)
