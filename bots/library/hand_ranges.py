"""What is known of a hand: ranges of high-card points and of suit lengths.

Everybody except its holder knows a hand only by such ranges: what a system says that calls promise,
and what a seat believes of a hand that it cannot see.
"""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.explanation import Explanation, Range


@dataclass(frozen=True, slots=True)
class HandRanges:
    """Ranges of a hand of thirteen cards, as dealt."""

    hcp: Range = (0, 37)  # the high-card points, from 0 to 37
    # The cards in each suit, from 0 to 13, indexed by Suit.
    lengths: tuple[Range, ...] = ((0, 13),) * 4

    @classmethod
    def of(cls, explanation: Explanation) -> HandRanges:
        """Return what an explanation promises."""
        lengths = tuple(explanation.lengths.get(suit, (0, 13)) for suit in SUITS)
        return cls(explanation.hcp or (0, 37), lengths)

    def holds(self, hand: Hand) -> bool:
        """Return whether a hand of thirteen cards lies in the ranges."""
        low, high = self.hcp
        return low <= hcp(hand) <= high and all(
            least <= held <= most
            for held, (least, most) in zip(hand.lengths, self.lengths, strict=True)
        )

    def least(self, suit: Suit) -> int:
        return self.lengths[suit][0]

    def most(self, suit: Suit) -> int:
        return self.lengths[suit][1]

    def narrowed(self, other: HandRanges) -> HandRanges:
        """Return what both say; where the two contradict each other, `other` is right."""
        return HandRanges(
            _both(self.hcp, other.hcp), tuple(map(_both, self.lengths, other.lengths))
        )

    def hull(self, other: HandRanges) -> HandRanges:
        """Return the narrowest ranges around both."""
        return HandRanges(
            _around(self.hcp, other.hcp), tuple(map(_around, self.lengths, other.lengths))
        )

    def completed(self) -> HandRanges:
        """Return the ranges narrowed by the fact that a hand has thirteen cards.

        Lengths that no hand of thirteen cards can have are returned as they are.
        """
        least = sum(low for low, _ in self.lengths)
        most = sum(high for _, high in self.lengths)
        if least > 13 or most < 13:
            return self
        lengths = tuple(
            (max(low, 13 - most + high), min(high, 13 - least + low)) for low, high in self.lengths
        )
        return HandRanges(self.hcp, lengths)


ANY = HandRanges()  # the ranges of a hand of which nothing is known


def with_length(suit: Suit, low: int, high: int) -> HandRanges:
    """Return ranges that bound one suit only."""
    return HandRanges(lengths=tuple((low, high) if other == suit else (0, 13) for other in SUITS))


def _both(first: Range, second: Range) -> Range:
    low, high = max(first[0], second[0]), min(first[1], second[1])
    return (low, high) if low <= high else second


def _around(first: Range, second: Range) -> Range:
    return min(first[0], second[0]), max(first[1], second[1])
