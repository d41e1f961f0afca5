"""Compute the features that players count in a hand: part of `research.papers.hand2vec`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, points_and_lengths

NAMES = ("HCP", "clubs", "diamonds", "hearts", "spades")

_MEANS = np.array([10, 3.25, 3.25, 3.25, 3.25], np.float32)
_DEVIATIONS = np.array([4.130, 1.365, 1.365, 1.365, 1.365], np.float32)


def standard(hands: Hands) -> NDArray[np.float32]:
    """Return high-card points and lengths, n×5, with mean 0 and deviation 1 over all hands."""
    found: NDArray[np.float32] = (points_and_lengths(hands).astype(np.float32) - _MEANS) / (
        _DEVIATIONS
    )
    return found
