"""How firmly beliefs are held: the weight of a hand that breaks them."""

from __future__ import annotations

from enum import IntEnum

from bridge_arena.bots.library.box import Box
from bridge_arena.bridge.cards import SUITS, Suit

POINT_FACTOR = 0.25
"""The weight of a hand for each point that its HCP lie outside their range."""
CARD_FACTOR = 0.1
"""The weight of a hand for each card that a suit's length lies outside its range."""
POINT_MARGIN = 3
"""How many points outside its range a hand may have."""
CARD_MARGIN = 2
"""How many cards outside its range a suit may have."""


class Degree(IntEnum):
    """How far the beliefs had to be loosened before any layout agreed with them."""

    BELIEVED = 0
    """Not at all: hands may be a little outside their ranges, at a price."""
    POINTS_STRETCHED = 1
    """HCP may be any number outside their range, each point at the same price."""
    ALL_STRETCHED = 2
    """Suit lengths may be so too."""
    CARDS_ONLY = 3
    """What was told of points and lengths is forgotten; cards, counts and voids stand."""

    def points(self, belief: Box) -> list[float]:
        """The weight of a dealt hand by its HCP, 0 to 40 (all there are)."""
        if self is Degree.CARDS_ONLY:
            return [1.0] * 41
        margin = POINT_MARGIN if self is Degree.BELIEVED else 40
        return [_weight(hcp, belief.hcp, POINT_FACTOR, margin) for hcp in range(41)]

    def lengths(self, belief: Box) -> list[list[float]]:
        """For each suit, the weight of a dealt hand by its length, 0 to 13."""
        if self is Degree.CARDS_ONLY:
            return [[1.0] * 14 for _ in SUITS]
        margin = CARD_MARGIN if self < Degree.ALL_STRETCHED else 13
        return [self._suit_lengths(belief, suit, margin) for suit in SUITS]

    def _suit_lengths(self, belief: Box, suit: Suit, margin: int) -> list[float]:
        return [_weight(length, belief.lengths[suit], CARD_FACTOR, margin) for length in range(14)]


def _weight(value: int, believed: tuple[int, int], factor: float, margin: int) -> float:
    outside = max(believed[0] - value, value - believed[1], 0)
    return 0.0 if outside > margin else factor**outside
