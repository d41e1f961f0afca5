"""Hand evaluation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import PACK, SUITS, Hand, Suit
from bridge_arena.bridge.evaluation import hcp, is_balanced, longest_suit, shape, suit_hcp


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("AKQJ.AKQ.AKQ.AKQ", 37),  # the most that a hand can hold
        ("AKQJT98765432...", 10),
        ("T987.654.T98.765", 0),  # T to 5: nothing
        ("A432.K32.Q32.J32", 10),
        ("...", 0),
    ],
)
def test_high_card_points_of_a_hand_are_counted(text: str, points: int) -> None:
    assert hcp(Hand.parse(text)) == points


def test_high_card_points_of_a_suit_are_counted() -> None:
    hand = Hand.parse("A432.KQ2.Q32.J32")
    assert [suit_hcp(hand, suit) for suit in SUITS] == [1, 2, 5, 4]
    assert hcp(PACK) == 40


@given(st.integers())
def test_a_deal_has_forty_points(seed: int) -> None:
    hands = random_deal(seed, 1).hands
    assert sum(map(hcp, hands)) == 40
    for hand in hands:
        assert hcp(hand) == sum(suit_hcp(hand, suit) for suit in SUITS)
        assert hcp(hand) == sum(max(0, card.rank - 10) for card in hand)


@pytest.mark.parametrize(
    ("text", "lengths", "balanced"),
    [
        ("5432.432.432.432", (4, 3, 3, 3), True),
        ("5432.5432.432.32", (4, 4, 3, 2), True),
        ("32.65432.432.432", (5, 3, 3, 2), True),
        ("5432.5432.5432.2", (4, 4, 4, 1), False),
        ("32.65432.5432.32", (5, 4, 2, 2), False),
        ("765432.432.32.32", (6, 3, 2, 2), False),
        ("..AKQJT98765432.", (13, 0, 0, 0), False),
    ],
)
def test_the_shape_of_a_hand_is_told(text: str, lengths: tuple[int, ...], balanced: bool) -> None:  # noqa: FBT001
    hand = Hand.parse(text)
    assert shape(hand) == lengths
    assert is_balanced(hand) == balanced


@pytest.mark.parametrize(
    ("text", "longest"),
    [
        ("5432.432.432.432", Suit.SPADES),
        ("432.5432.32.5432", Suit.HEARTS),  # the higher of two
        ("32.432.5432.5432", Suit.DIAMONDS),
        ("32.432.432.65432", Suit.CLUBS),
    ],
)
def test_the_longest_suit_of_a_hand_is_found(text: str, longest: Suit) -> None:
    assert longest_suit(Hand.parse(text)) is longest
