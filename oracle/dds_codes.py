"""The numbers by which DDS knows suits, denominations and cards: see `dds`."""

from __future__ import annotations

from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.cards import Hand, Suit


def suit_code(suit: Suit) -> int:
    """Return the solver's number of a suit: S H D C are 0..3."""
    return 3 - suit


def trump_code(trump: Suit | None) -> int:
    """Return the solver's number of a trump suit, or of notrump."""
    return 4 if trump is None else 3 - trump


def denomination_code(denomination: Denomination) -> int:
    """Return the solver's number of a denomination."""
    return trump_code(denomination.trump)


def holding_code(hand: Hand, suit: Suit) -> int:
    """Return the solver's bits of one suit of a hand: bit r for rank r = 2..14."""
    return hand.holding(suit) << 2
