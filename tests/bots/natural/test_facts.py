"""Tests of the facts about a hand that the rules use."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.facts import facts
from bridge_arena.bridge.cards import Hand, Suit
from tests.bots.natural.auctions import measured

CLUBS, DIAMONDS, HEARTS, SPADES = Suit


def test_a_hand_is_measured_in_points_and_lengths() -> None:
    hand = measured("AQ765.K4.K832.Q4")
    assert hand.hcp == 14
    assert hand.points == 15  # one for the fifth spade
    assert hand.lengths == (2, 4, 2, 5)
    assert hand.shape == (5, 4, 2, 2)
    assert measured("AQ7654.K4.K8.Q43").points == 16


@pytest.mark.parametrize(
    ("hand", "hcp", "honours"),
    [
        ("AKQJT.432.432.32", 10, 10),  # one of each: nothing more or less
        ("AT32.AT32.AT2.A3", 16, 19),  # 18.75
        ("QJ32.QJ32.QJ3.QJ", 12, 9),
        ("A432.Q432.Q32.32", 8, 8),  # 7.5
        ("5432.5432.432.32", 0, 0),
    ],
)
def test_aces_and_tens_are_worth_more_than_their_points(hand: str, hcp: int, honours: int) -> None:
    assert measured(hand).hcp == hcp
    assert measured(hand).honours == honours
    assert measured(hand).with_more(1).honours == honours + 1


def test_a_hand_may_be_counted_stronger_or_weaker() -> None:
    hand = measured("AQ765.K4.K832.Q4")
    assert (hand.with_more(1).hcp, hand.with_more(1).points) == (15, 16)
    assert hand.with_more(-1).hcp == 13
    assert hand.with_more(1).lengths == hand.lengths
    assert hand.hcp == 14


def test_a_hand_is_measured_once() -> None:
    hand = Hand.parse("AQ765.K4.K832.Q4")
    assert facts(hand) is facts(Hand(hand.mask))


@pytest.mark.parametrize(
    ("hand", "balanced", "semi"),
    [
        ("AQ76.K43.K83.Q42", True, True),
        ("AQ76.K432.K83.Q4", True, True),
        ("AQ765.K43.K83.Q4", True, True),
        ("AQ7654.K43.K8.Q4", False, True),
        ("AQ7654.K432.K8.Q", False, False),
        ("AQ765.K432.K832.", False, False),
        ("AQ76.K432.K832.4", False, False),
    ],
)
def test_balanced_hands_are_told_from_others(hand: str, balanced: bool, semi: bool) -> None:  # noqa: FBT001
    assert measured(hand).balanced == balanced
    assert measured(hand).semibalanced == semi


@pytest.mark.parametrize(
    ("hand", "trump", "points"),
    [
        ("K432.Q32.A432.32", SPADES, 10),  # 9, a doubleton with four trumps
        ("K432.Q432.A432.3", SPADES, 12),
        ("K432.Q5432.A432.", SPADES, 14),
        ("K32.Q432.A5432.3", SPADES, 11),
        ("K32.Q5432.A5432.", SPADES, 12),
        ("K2.QJ432.A5432.3", SPADES, 11),  # two trumps: little
        ("K432.Q432.A432.K", SPADES, 15),
        ("K432.A432.A432.A", SPADES, 20),  # aces count half a point more: 16.5, rounded up
        ("Q432.Q32.J432.J2", SPADES, 6),  # and queens less: 4.5, rounded up
        ("K65432.Q32.A2.32", SPADES, 12),  # two doubletons, a sixth trump
        ("K432.Q32.A432.32", HEARTS, 9),  # three trumps: a doubleton counts nothing
    ],
)
def test_support_points_count_for_a_trump_suit(hand: str, trump: Suit, points: int) -> None:
    assert measured(hand).support(trump) == points


@pytest.mark.parametrize(
    ("holding", "stops"),
    [
        *[(holding, True) for holding in ("A", "K2", "Q32", "J432")],
        *[(holding, False) for holding in ("", "K", "Q2", "J32", "T9876")],
    ],
)
def test_stops_of_a_suit_are_known(holding: str, stops: bool) -> None:  # noqa: FBT001
    rest = "AKQJT98765432"[: 13 - len(holding)]
    assert measured(f"{holding}.{rest}..").stops(SPADES) == stops


@pytest.mark.parametrize(
    ("holding", "tops", "good"),
    [
        ("AKQ32", 3, True),
        ("KQ432", 2, True),
        ("QJT32", 1, True),
        ("AJT32", 1, True),
        ("KJ432", 1, False),
        ("JT987", 0, False),
    ],
)
def test_the_honours_of_a_suit_are_counted(holding: str, tops: int, good: bool) -> None:  # noqa: FBT001
    hand = measured(f"{holding}.432.32.432")
    assert hand.tops(SPADES) == tops
    assert hand.is_good(SPADES) == good


def test_aces_and_key_cards_are_counted() -> None:
    hand = measured("AQ765.K4.AK32.Q4")
    assert hand.aces == 2
    assert hand.keycards(SPADES) == 2
    assert hand.keycards(DIAMONDS) == hand.keycards(HEARTS) == 3
    assert hand.has_queen(SPADES)
    assert not hand.has_queen(DIAMONDS)


@pytest.mark.parametrize(
    ("hand", "tricks"),
    [
        ("AK2.432.5432.432", 2),
        ("AQ2.432.5432.432", 1.5),
        ("A32.432.5432.432", 1),
        ("KQ2.432.5432.432", 1),
        ("K32.432.5432.432", 0.5),
        ("QJ2.432.5432.432", 0),
        ("AKQ.AQ2.K32.5432", 4),
        ("K.5432.5432.5432", 0),
        ("A.5432.5432.5432", 1),
    ],
)
def test_quick_tricks_are_counted(hand: str, tricks: float) -> None:
    assert measured(hand).quick_tricks == tricks
