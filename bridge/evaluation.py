"""Hand evaluation: high-card points, shape and suits."""

from __future__ import annotations

from bridge_arena.bridge.cards import SUIT_MASK, SUITS, Hand, Suit

_HCP = tuple(
    4 * (holding >> 12 & 1) + 3 * (holding >> 11 & 1) + 2 * (holding >> 10 & 1) + (holding >> 9 & 1)
    for holding in range(SUIT_MASK + 1)
)
"""High-card points of every holding of one suit."""


def hcp(hand: Hand) -> int:
    """Return the high-card points of a hand: ace 4, king 3, queen 2, jack 1."""
    mask = hand.mask
    return (
        _HCP[mask & SUIT_MASK]
        + _HCP[mask >> 13 & SUIT_MASK]
        + _HCP[mask >> 26 & SUIT_MASK]
        + _HCP[mask >> 39]
    )


def suit_hcp(hand: Hand, suit: Suit) -> int:
    """Return the high-card points of one suit."""
    return _HCP[hand.holding(suit)]


def shape(hand: Hand) -> tuple[int, ...]:
    """Return the suit lengths, longest first: (4, 3, 3, 3), (5, 3, 3, 2) ..."""
    return tuple(sorted(hand.lengths, reverse=True))


def is_balanced(hand: Hand) -> bool:
    """Return whether the shape is 4-3-3-3, 4-4-3-2 or 5-3-3-2."""
    return shape(hand) in {(4, 3, 3, 3), (4, 4, 3, 2), (5, 3, 3, 2)}


def longest_suit(hand: Hand) -> Suit:
    """Return the longest suit; of suits of the same length, the highest-ranking."""
    return max(SUITS, key=lambda suit: (hand.length(suit), suit))
