"""Which of equally good cards to play."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from bridge_arena.bridge.cards import SUITS_DOWN, Card, Hand, Rank, Suit
from bridge_arena.bridge.play import Play


def preferred(play: Play, hand: Hand, cards: Iterable[Card]) -> Card:
    """One of `cards`, which are equally good, from `hand`, whose turn it is: a standard
    opening lead; else the lowest, and a trump only to follow suit or to lead."""
    good = Hand.of(cards)
    if not play.cards:
        return _opening_lead(hand, good)
    discarding = bool(play.trick) and not hand.holding(play.trick[0].suit)
    return min(
        good,
        key=lambda card: (discarding and card.suit == play.trump, card.rank, card.suit),
    )


def _opening_lead(hand: Hand, good: Hand) -> Card:
    """From the longest of the suits, the higher of equals: the standard card if it is
    among the good ones, else the lowest of those."""
    suit = max(
        (suit for suit in SUITS_DOWN if good.length(suit)),
        key=lambda suit: (hand.length(suit), suit),
    )
    standard = standard_lead(hand, suit)
    return standard if standard in good else min(good.suit(suit))


def standard_lead(hand: Hand, suit: Suit) -> Card:
    """The top of two touching honours (ace to ten), else the fourth best, else the higher
    of two, else the lowest."""
    cards = list(hand.suit(suit))
    for upper, lower in pairwise(cards):
        if lower == upper - 1 and lower.rank >= Rank.TEN:
            return upper
    if len(cards) >= 4:
        return cards[3]
    return cards[0] if len(cards) == 2 else cards[-1]
