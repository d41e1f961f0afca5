"""Compute the features of partner's hand in table VII of Yeh, Hsieh and Lin.

The networks of this table estimate them beside the costs.

lowest    the lengths of the four suits; whether it has ace, king, queen and jack of each
median    the lengths and the high-card points
highest   these and the quality of each suit, which the paper does not define: here length
          times high-card points of the suit, over 10 (after Kaplan and Rubens, without tens)

Spades come first. Points are divided by 25 and lengths and qualities by 10, so that they have about
the size of the costs. Honours are divided too: sixteen of 0 or 1 would outweigh the costs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, lengths, points

LEVELS = ("lowest", "median", "highest")
LENGTH, POINTS, QUALITY = 10.0, 25.0, 10.0
"""The divisors of the features."""


def features(level: str, hands: Hands, divisor: float) -> NDArray[np.float32]:
    """Return the features of hands, n×52 with the clubs first: n×20, n×5 or n×9.

    Honours are divided by the `divisor`.
    """
    held = lengths(hands)[:, ::-1]
    honours = hands.reshape(-1, 4, 13)[:, ::-1, 9:]
    parts = [held / LENGTH]
    if level == "lowest":
        parts.append(honours.reshape(-1, 16) / divisor)
    else:
        parts.append(points(hands)[:, None] / POINTS)
    if level == "highest":
        parts.append(held * (honours @ np.arange(1, 5)) / 10 / QUALITY)
    return np.concatenate(parts, axis=1).astype(np.float32)
