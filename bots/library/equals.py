"""Cards of one hand that are worth the same, as masks like those of Hand."""

from __future__ import annotations

from bridge_arena.bridge.cards import SUITS

_SUIT_STARTS = sum(1 << 13 * suit for suit in SUITS)


def lowest_of_equals(cards: int, dividing: int) -> list[int]:
    """Return the lowest card of each group of equal cards, in ascending order.

    Cards of one suit are equal if none of `dividing` lies between them.

    Args:
        cards: The mask of the cards.
        dividing: The mask of the cards that still count and are elsewhere, in another hand or in
            the trick in progress.

    Returns:
        The cards.
    """
    bounds = dividing | _SUIT_STARTS
    lowest: list[int] = []
    while cards:
        low = cards & -cards
        lowest.append(low.bit_length() - 1)
        # The next group begins above the next dividing card.
        above = bounds & -(low << 1)
        cards = cards & -(above & -above) if above else 0
    return lowest
