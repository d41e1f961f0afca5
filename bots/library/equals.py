"""Cards of one hand that are worth the same, as masks like Hand's."""

from __future__ import annotations

from bridge_arena.bridge.cards import SUITS

_SUIT_STARTS = sum(1 << 13 * suit for suit in SUITS)


def lowest_of_equals(cards: int, dividing: int) -> list[int]:
    """The lowest card of each group of equal `cards`, lowest first.

    Equal are cards of one suit with none of `dividing` between them: those that still
    count and are elsewhere, in another hand or in the trick in progress.
    """
    bounds = dividing | _SUIT_STARTS
    lowest: list[int] = []
    while cards:
        low = cards & -cards
        lowest.append(low.bit_length() - 1)
        # On from the first bound above.
        above = bounds & -(low << 1)
        cards = cards & -(above & -above) if above else 0
    return lowest
