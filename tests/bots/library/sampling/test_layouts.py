"""Layouts are drawn in proportion to any factors, as a count of all layouts shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import combinations
from math import comb, prod
from random import Random

import pytest

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bots.library.sampling.layouts import (
    NOBODY,
    HandToFill,
    Layouts,
    Masks,
    PairTable,
    SuitTable,
    choose,
    subset,
)
from bridge_arena.bridge.cards import PACK, SUITS, Hand, Suit
from bridge_arena.bridge.evaluation import hcp
from tests.bots.library.sampling.statistics import assert_drawn_from

ANY = (1.0,) * 41, ((1.0,) * 14,) * 4


def factor(place: HandToFill, mask: int) -> float:
    hand = Hand(mask)
    by_suit = prod(place.lengths[suit][hand.length(suit)] for suit in SUITS)
    return place.points[hcp(hand)] * by_suit


def weights(unseen: Hand, places: list[HandToFill]) -> dict[Hashable, float]:
    found: dict[Hashable, float] = {}
    for first in combinations(unseen, places[0].size):
        rest = unseen - Hand.of(first)
        for second in combinations(rest, places[1].size):
            third = rest - Hand.of(second)
            masks = (Hand.of(first).mask, Hand.of(second).mask, third.mask)
            weight = prod(map(factor, places, masks))
            if weight:
                found[masks] = weight
    return found


def drawn(layouts: Layouts, count: int) -> Counter[Hashable]:
    rng = Random(1)
    kept: list[Masks] = []
    while len(kept) < count:
        masks = layouts.attempt(rng)
        if masks is not None:
            kept.append(masks)
    return Counter[Hashable](kept)


def random_place(size: int, rng: Random) -> HandToFill:
    values = (0.0, 0.25, 0.5, 1.0, 1.0)
    lengths = tuple(tuple(pick(rng, values) for _ in range(14)) for _ in SUITS)
    return HandToFill(size, tuple(pick(rng, values) for _ in range(41)), lengths)


@pytest.mark.parametrize(
    ("cards", "sizes"),
    [
        ("AKQJ.AKQJ..", (4, 4, 0)),
        ("AKQJ.AK..32", (3, 2, 3)),
        ("AKQJ.K3.Q.2", (4, 1, 3)),
        ("AKQJ5432..A.", (0, 4, 5)),
        ("A2.K3.Q4.J5", (3, 3, 2)),
        ("5432.43.32.", (2, 3, 3)),
    ],
)
@pytest.mark.parametrize("seed", range(6))
def test_layouts_are_drawn_as_often_as_their_weight(
    cards: str, sizes: tuple[int, int, int], seed: int
) -> None:
    rng = Random(seed)
    unseen = Hand.parse(cards)
    places = [random_place(size, rng) if size else NOBODY for size in sizes]
    likely = weights(unseen, places)
    layouts = Layouts(unseen.mask, places)
    if not likely:
        return  # whether it knows that is not promised
    assert layouts.are_any
    counts = drawn(layouts, 3000)
    if len(likely) > 1:
        assert_drawn_from(counts, likely)
    else:
        assert set(counts) == set(likely)


def test_no_layout_is_drawn_where_none_is_admitted() -> None:
    """No layout has lengths or high-card points that the cards do not give."""
    unseen = Hand.parse("AKQ.32..")
    points, lengths = ANY
    rest = HandToFill(3, *ANY)
    assert Layouts(unseen.mask, [HandToFill(2, *ANY), rest, NOBODY]).are_any
    short = (*lengths[:3], (1.0,) + (0.0,) * 13)
    assert Layouts(unseen.mask, [HandToFill(2, points, short), rest, NOBODY]).are_any
    assert not Layouts(
        unseen.mask, [HandToFill(3, points, short), HandToFill(2, *ANY), NOBODY]
    ).are_any
    strong = (0.0,) * 8 + (1.0,) * 33
    assert not Layouts(unseen.mask, [HandToFill(2, strong, lengths), rest, NOBODY]).are_any


ANY_HAND = HandToFill(13, (1.0,) * 41, ((1.0,) * 14,) * 4)

HOLDINGS = ["AKQJT98765432", "AKQJ32", "AKQJ", "AQJ8", "KJT9872", "T432", "A", ""]


def table(
    holding: str, suit: Suit = Suit.DIAMONDS, x: HandToFill = ANY_HAND, z: HandToFill = ANY_HAND
) -> SuitTable:
    holdings = [""] * 4
    holdings[3 - suit] = holding
    return SuitTable(Hand.parse(".".join(holdings)).mask, suit, x, ANY_HAND, z)


@pytest.mark.parametrize("suit", Suit)
@pytest.mark.parametrize("holding", HOLDINGS)
class TestSuits:
    def test_takes_count_the_sets_of_each_length_and_points(self, holding: str, suit: Suit) -> None:
        found = table(holding, suit)
        sets = Counter(
            (length, hcp(Hand.of(cards)))
            for length in range(len(holding) + 1)
            for cards in combinations(Hand(found.cards), length)
        )
        assert {
            (length, points): ways
            for length, row in enumerate(found.takes)
            for points, ways in enumerate(row)
            if ways
        } == sets

    def test_splits_count_every_set_of_the_cards_left(self, holding: str, suit: Suit) -> None:
        found = table(holding, suit)
        assert [sum(row) for row in found.splits] == [2**left for left in range(len(holding) + 1)]

    def test_sets_of_cards_of_a_suit_are_equally_likely(self, holding: str, suit: Suit) -> None:
        """The sets of x have these points and this length; those of y are of the other cards."""
        rng = Random(1)
        found = table(holding, suit)
        length = len(holding) // 2
        points = max(range(len(found.takes[length])), key=found.takes[length].__getitem__)
        likely: dict[object, float] = {
            mask: 1.0
            for cards in combinations(Hand(found.cards), length)
            if hcp(Hand(mask := Hand.of(cards).mask)) == points
        }
        counts = Counter[object]()
        for _ in range(40 * len(likely)):
            honours = found.x_honours(rng, length, points)
            counts[honours | found.x_spots(rng, length - honours.bit_count())] += 1
        assert set(counts) <= set(likely)
        if len(likely) > 1:
            assert_drawn_from(counts, likely)


class TestFactors:
    def test_factors_go_by_the_length_of_each_hand(self) -> None:
        by_length = tuple(float(length) for length in range(14))
        counted = HandToFill(13, ANY_HAND.points, (by_length,) * 4)
        found = table("KJ2", x=counted, z=counted)
        assert found.takes[2] == [0, 2.0, 0, 2.0, 2.0]
        assert found.splits[3] == [3.0, 3 * 2.0, 3 * 1.0, 0.0]

    def test_a_hand_that_takes_no_cards_leaves_one_way(self) -> None:
        found = table("KJ2", z=NOBODY)
        assert found.splits == [[1], [0, 1], [0, 0, 1], [0, 0, 0, 1]]


def test_two_suits_together_are_counted_as_one_set_of_cards() -> None:
    pair = PairTable(table("AKJ2"), table("QJT9", Suit.SPADES), (2, 1))
    sets = Counter(
        hcp(Hand.of((*red, black)))
        for red in combinations(Hand.parse("..AKJ2."), 2)
        for black in Hand.parse("QJT9...")
    )
    assert {points: ways for points, ways in enumerate(pair.points) if ways} == sets
    assert pair.splits == [comb(5, cards) for cards in range(6)]
    assert pair.first_points(5)[-1] == sets[5]
    assert pair.first_cards(2)[-1] == comb(5, 2)


class TestChoice:
    def test_an_item_without_weight_is_not_chosen(self) -> None:
        class Fixed(Random):
            value = 0.0

            def random(self) -> float:
                return self.value

        rng = Fixed()
        cumulative = [0.0, 0.0, 1.0, 1.0, 3.0, 3.0]
        assert choose(rng, cumulative) == 2
        rng.value = 0.34
        assert choose(rng, cumulative) == 4
        rng.value = 1.0  # as rounding may have it
        assert choose(rng, cumulative) == 4

    def test_subsets_are_equally_likely(self) -> None:
        rng = Random(1)
        counts = Counter[object](subset(rng, 0b1011010, 2) for _ in range(3000))
        assert_drawn_from(counts, {1 << a | 1 << b: 1.0 for a, b in combinations((1, 3, 4, 6), 2)})
        assert subset(rng, PACK.mask, 52) == PACK.mask
        assert subset(rng, PACK.mask, 0) == 0
