"""The weight of a hand that contradicts what is believed of it."""

from __future__ import annotations

from enum import IntEnum

from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bridge.cards import SUITS, Suit

POINT_FACTOR = 0.25
"""The factor of a hand's weight for each point that its HCP lie outside their range."""
CARD_FACTOR = 0.1
"""The factor of a hand's weight for each card that a suit's length lies outside its range."""
POINT_MARGIN = 3
"""The most points that a hand may lie outside its range."""
CARD_MARGIN = 2
"""The most cards that a suit may lie outside its range."""


class Degree(IntEnum):
    """How far the beliefs had to be loosened before any layout agreed with them."""

    BELIEVED = 0
    """The beliefs stand: hands may lie a little outside their ranges, with a lower weight."""
    POINTS_STRETCHED = 1
    """HCP may lie any number of points outside their range, at the same factor for each."""
    ALL_STRETCHED = 2
    """Suit lengths may lie any number of cards outside their ranges too."""
    CARDS_ONLY = 3
    """Promised points and lengths are ignored; only cards, their numbers and voids count."""

    def points(self, belief: HandRanges) -> list[float]:
        """Return the weight of a dealt hand by its HCP, from 0 to 40, the total of the pack."""
        if self is Degree.CARDS_ONLY:
            return [1.0] * 41
        margin = POINT_MARGIN if self is Degree.BELIEVED else 40
        return [_weight(hcp, belief.hcp, POINT_FACTOR, margin) for hcp in range(41)]

    def lengths(self, belief: HandRanges) -> list[list[float]]:
        """Return the weight of a dealt hand by its length, 0 to 13, in each suit."""
        if self is Degree.CARDS_ONLY:
            return [[1.0] * 14 for _ in SUITS]
        margin = CARD_MARGIN if self < Degree.ALL_STRETCHED else 13
        return [self._suit_lengths(belief, suit, margin) for suit in SUITS]

    def _suit_lengths(self, belief: HandRanges, suit: Suit, margin: int) -> list[float]:
        return [_weight(length, belief.lengths[suit], CARD_FACTOR, margin) for length in range(14)]


def _weight(value: int, believed: tuple[int, int], factor: float, margin: int) -> float:
    outside = max(believed[0] - value, value - believed[1], 0)
    return 0.0 if outside > margin else factor**outside
