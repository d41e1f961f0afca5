"""Layouts are drawn in proportion to any factors, as a count of all layouts shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import combinations
from math import prod
from random import Random

import pytest

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bots.library.sampling.layouts import NOBODY, HandToFill, Layouts, Masks
from bridge_arena.bridge.cards import SUITS, Hand
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
