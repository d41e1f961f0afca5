"""What the Q-networks see of a hand: its cards, and how many it has of what counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, lengths, points

LONGEST = 8
MOST_POINTS = 24

FEATURES = 52 + 4 * LONGEST + MOST_POINTS
"""52 cards; for each suit, whether it has at least 1, 2 ... `LONGEST` cards; whether there are
at least 1, 2 ... `MOST_POINTS` high-card points."""


def features(hands: Hands) -> NDArray[np.float32]:
    """From n×52 to n×`FEATURES` of 0 and 1."""
    number = len(hands)
    long = lengths(hands)[:, :, None] > np.arange(LONGEST)
    strong = points(hands)[:, None] > np.arange(MOST_POINTS)
    return np.concatenate([hands, long.reshape(number, -1), strong], axis=1).astype(np.float32)
