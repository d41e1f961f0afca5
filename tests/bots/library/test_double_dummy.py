"""Tests of cards that are worth the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.double_dummy import lowest_of_equals
from bridge_arena.bridge.cards import CARDS, PACK, Hand


def plain(cards: Hand, dividing: Hand) -> list[int]:
    """By looking down from each card to the next of its suit that counts."""
    lowest = []
    for card in sorted(cards):
        below = [each for each in sorted(cards | dividing) if each < card]
        same = below and below[-1].suit == card.suit and below[-1] in cards
        if not same:
            lowest.append(int(card))
    return lowest


@pytest.mark.parametrize(
    ("cards", "dividing", "lowest"),
    [
        ("...", "AK...", "..."),
        ("AKQ...", "...", "Q..."),
        ("AQ...", "...", "Q..."),
        ("AQ...", "K...", "AQ..."),
        ("A.2..", "...", "A.2.."),
        ("2.A..", "...", "2.A.."),
        ("J9753.AK..", "T86...", "J973.K.."),
        ("A32.A32.A32.A32", "K..K.K", "A2.2.A2.A2"),
    ],
)
def test_the_lowest_card_of_each_group_of_equals_stays(
    cards: str, dividing: str, lowest: str
) -> None:
    found = lowest_of_equals(Hand.parse(cards).mask, Hand.parse(dividing).mask)
    assert found == sorted(Hand.parse(lowest))


@given(st.sets(st.sampled_from(CARDS)), st.sets(st.sampled_from(CARDS)))
def test_equals_are_those_that_a_look_at_each_card_finds(some: set[int], others: set[int]) -> None:
    cards = Hand.of(card for card in CARDS if card in some)
    dividing = Hand.of(card for card in CARDS if card in others - some)
    assert lowest_of_equals(cards.mask, dividing.mask) == plain(cards, dividing)


def test_a_mask_of_all_cards_that_are_not_gone_divides_equals() -> None:
    """Negative, as `~` makes it."""
    cards = Hand.parse("AQ.432..2")
    assert lowest_of_equals(cards.mask, ~cards.mask) == lowest_of_equals(
        cards.mask, (PACK - cards).mask
    )
