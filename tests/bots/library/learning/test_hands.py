"""Hands as arrays: against the hands themselves, and the odds of random ones."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.learning.hands import (
    denominations_reordered,
    hand_of,
    hands_array,
    lengths,
    points,
    random_pairs,
    reordered,
    spades_first,
    suit_orders,
)
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import CARDS, SUITS, Card, Hand
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.seats import SEATS, Seat

HANDS = [random_deal(3, number)[seat] for number in range(1, 30) for seat in SEATS]


def test_pairs_are_the_same_in_whatever_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = random_pairs(np.random.default_rng(5), 50)
    monkeypatch.setattr("bridge_arena.bots.library.learning.hands._AT_ONCE", 7)
    parts = random_pairs(np.random.default_rng(5), 50)
    assert np.array_equal(whole, parts)


@given(st.lists(st.integers(0, (1 << 52) - 1).map(Hand), max_size=4))
def test_a_row_is_the_hand(hands: list[Hand]) -> None:
    array = hands_array(hands)
    assert array.shape == (len(hands), 52)
    assert array.dtype == np.bool_
    assert [hand_of(row) for row in array] == hands


def test_cards_are_in_the_order_of_the_game() -> None:
    (row,) = hands_array([Hand.of([Card("C2"), Card("D2"), Card("SA")])])
    assert np.flatnonzero(row).tolist() == [0, 13, 51]


def test_points_and_lengths_are_counted() -> None:
    array = hands_array(HANDS)
    assert points(array).tolist() == [hcp(hand) for hand in HANDS]
    assert lengths(array).tolist() == [[hand.length(suit) for suit in SUITS] for hand in HANDS]


def test_cards_may_be_put_in_an_order_with_spades_first() -> None:
    (row,) = spades_first(hands_array([Hand.of([Card("SA"), Card("H2"), Card("DK"), Card("C3")])]))
    assert np.flatnonzero(row).tolist() == [12, 13, 26 + 11, 39 + 1]
    array = hands_array(HANDS)
    assert np.array_equal(spades_first(spades_first(array)), array)


def test_random_pairs_are_hands_of_one_pack() -> None:
    one, other = random_pairs(np.random.default_rng(1), 500)
    assert (one.shape, other.shape) == ((500, 52), (500, 52))
    assert (one.sum(axis=1) == 13).all()
    assert (other.sum(axis=1) == 13).all()
    assert not (one & other).any()


def test_random_pairs_are_those_of_the_generator() -> None:
    first, again = (random_pairs(np.random.default_rng(4), 20) for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, random_pairs(np.random.default_rng(5), 20))


def test_random_pairs_are_all_equally_likely() -> None:
    """Each card lies with each partner in a quarter of the pairs, and the partners' cards in
    a suit are as in the table of odds. The bounds lie five standard deviations off."""
    number = 20_000
    pairs = random_pairs(np.random.default_rng(2), number)
    margin = 5 * (number * 3 / 16) ** 0.5
    for hands in pairs:
        counts = hands.sum(axis=0)
        assert counts.shape == (len(CARDS),)
        assert (abs(counts - number / 4) < margin).all()
    together = (lengths(pairs[0]) + lengths(pairs[1]))[:, 3]
    for fit in range(14):
        chance = comb(13, fit) * comb(39, 26 - fit) / comb(52, 26)
        margin = 5 * (number * chance) ** 0.5 + 1
        assert abs((together == fit).sum() - number * chance) < margin


def test_a_deal_gives_a_pair() -> None:
    deal = random_deal(3, 1)
    north, south = hands_array([deal[Seat.NORTH], deal[Seat.SOUTH]])
    assert not (north & south).any()
    assert (hand_of(north), hand_of(south)) == (deal[Seat.NORTH], deal[Seat.SOUTH])


def test_suits_change_places_with_their_cards_and_tricks() -> None:
    rng = np.random.default_rng(4)
    hands, _ = random_pairs(rng, 50)
    orders = suit_orders(rng, 50)
    assert (np.sort(orders, axis=1) == np.arange(4)).all()
    assert len(np.unique(orders, axis=0)) > 10
    turned = reordered(hands, orders)
    assert (lengths(turned) == np.take_along_axis(lengths(hands), orders, axis=1)).all()
    assert (points(turned) == points(hands)).all()
    # For each denomination its length, and for notrump 99.
    held = np.column_stack([lengths(hands), np.full(50, 99)])
    again = denominations_reordered(held, orders)
    assert (again == np.column_stack([lengths(turned), np.full(50, 99)])).all()
