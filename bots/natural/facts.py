"""The facts that the rules measure in a hand."""

from __future__ import annotations

from functools import lru_cache

from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.evaluation import hcp, is_balanced, shape

_ACE, _KING, _QUEEN, _JACK, _TEN = (1 << bit for bit in (12, 11, 10, 9, 8))

_QUARTERS = {_ACE: 18, _KING: 12, _QUEEN: 6, _JACK: 3, _TEN: 1}
"""What honours are worth, in quarters of a point (BUM-RAP, Martelli, The Bridge World)."""

_WORTH = tuple(
    sum(worth for honour, worth in _QUARTERS.items() if top << 8 & honour) for top in range(32)
)
"""What the honours of a suit are worth, in quarters of a point, by its five highest cards."""


class Facts:
    """A hand of thirteen cards, measured once.

    Lengths and holdings, which are bits as in `Hand`, are indexed by Suit. `honours` is what the
    honours are worth where length or shortness counts too, in points, a half rounded up; `points`
    are one more for each card over four in a suit.
    """

    __slots__ = ("hand", "hcp", "holdings", "honours", "lengths", "points", "shape")

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.hcp = hcp(hand)
        self.lengths = hand.lengths
        self.holdings = tuple(hand.holding(suit) for suit in SUITS)
        self.shape = shape(hand)
        self.honours = (2 + sum(_WORTH[holding >> 8] for holding in self.holdings)) // 4
        self.points = self.honours + sum(length - 4 for length in self.lengths if length > 4)

    def with_more(self, points: int) -> Facts:
        """Return the facts of the same hand, counted so many points stronger."""
        other = Facts(self.hand)
        other.hcp += points
        other.honours += points
        other.points += points
        return other

    @property
    def balanced(self) -> bool:
        """Whether the hand is 4-3-3-3, 4-4-3-2 or 5-3-3-2."""
        return is_balanced(self.hand)

    @property
    def semibalanced(self) -> bool:
        """Whether the hand has no singleton and no void."""
        return self.shape[3] >= 2

    def support(self, trump: Suit) -> int:
        """Return the points of the hand in support of a trump suit: honours, and short suits."""
        # Short suits count more with more trumps.
        trumps = self.lengths[trump]
        worth = (5, 3, 1) if trumps >= 4 else (3, 2, 0) if trumps == 3 else (1, 1, 0)
        short = sum(
            worth[length]
            for suit, length in zip(SUITS, self.lengths, strict=True)
            if suit != trump and length <= 2
        )
        return self.honours + short + max(0, trumps - 5)

    def stops(self, suit: Suit) -> bool:
        """Return whether the hand stops a suit: with A, Kx, Qxx or Jxxx."""
        holding, length = self.holdings[suit], self.lengths[suit]
        return bool(
            holding & _ACE
            or (holding & _KING and length >= 2)
            or (holding & _QUEEN and length >= 3)
            or (holding & _JACK and length >= 4)
        )

    def tops(self, suit: Suit) -> int:
        """Return how many of ace, king and queen the hand has in a suit."""
        return (self.holdings[suit] >> 10).bit_count()

    def is_good(self, suit: Suit) -> bool:
        """Return whether a suit has two of the top three honours, or three of the top five."""
        return self.tops(suit) >= 2 or (self.holdings[suit] >> 8).bit_count() >= 3

    @property
    def aces(self) -> int:
        return sum(holding >> 12 for holding in self.holdings)

    def keycards(self, trump: Suit) -> int:
        """Return the number of key cards: the aces and the king of trumps."""
        return self.aces + (self.holdings[trump] >> 11 & 1)

    def has_queen(self, trump: Suit) -> bool:
        return bool(self.holdings[trump] & _QUEEN)

    @property
    def quick_tricks(self) -> float:
        """The quick tricks: AK 2, AQ 1.5, A 1, KQ 1, Kx 0.5."""
        total = 0.0
        for holding, length in zip(self.holdings, self.lengths, strict=True):
            top = holding >> 10
            total += (0, 0, 0.5, 1, 1, 1.5, 2, 2)[top] if length > 1 else (top >> 2)
        return total


facts = lru_cache(maxsize=4096)(Facts)
