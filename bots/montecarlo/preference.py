"""The choice among equally good cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from bridge_arena.bridge.cards import SUITS_DOWN, Card, Hand, Rank, Suit
from bridge_arena.bridge.play import Play


def preferred(play: Play, hand: Hand, cards: Iterable[Card]) -> Card:
    """Return the card to play of several that are equally good.

    It is a standard opening lead, otherwise the lowest card. A trump is played only to follow suit
    or to lead.

    Args:
        play: The play so far.
        hand: The hand whose turn it is.
        cards: The equally good cards.

    Returns:
        One of the cards.
    """
    good = Hand.of(cards)
    if not play.cards:
        return _opening_lead(hand, good)
    discarding = bool(play.trick) and not hand.holding(play.trick[0].suit)
    return min(
        good,
        key=lambda card: (discarding and card.suit == play.trump, card.rank, card.suit),
    )


def _opening_lead(hand: Hand, good: Hand) -> Card:
    """Return the standard lead of the longest suit, or the lowest good card of that suit."""
    suit = max(
        (suit for suit in SUITS_DOWN if good.length(suit)),
        key=lambda suit: (hand.length(suit), suit),
    )
    standard = standard_lead(hand, suit)
    return standard if standard in good else min(good.suit(suit))


def standard_lead(hand: Hand, suit: Suit) -> Card:
    """Return the standard lead of a suit.

    It is the top of two touching honours (ace to ten), else the fourth best, else the higher of two
    cards, else the lowest.

    Args:
        hand: The hand on lead.
        suit: The suit, in which the hand has a card.

    Returns:
        The card.
    """
    cards = list(hand.suit(suit))
    for upper, lower in pairwise(cards):
        if lower == upper - 1 and lower.rank >= Rank.TEN:
            return upper
    if len(cards) >= 4:
        return cards[3]
    return cards[0] if len(cards) == 2 else cards[-1]
