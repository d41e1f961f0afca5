"""Tests of the search for the hands most like a given one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.hand2vec.net import Hand2VecNet, distances, nearest, similar
from bridge_arena.bots.library.learning.hands import hand_of, hands_array, random_pairs
from bridge_arena.bridge.cards import Hand
from tests.bots.library.hand2vec.nets import weights_of

NET = Hand2VecNet(weights_of(4))


def test_the_distance_does_not_grow_with_the_dimensions() -> None:
    for dimensions in (1, 8, 64):
        ones = np.ones((2, dimensions), np.float32)
        assert distances(ones, -ones[0]) == pytest.approx(2)


@given(st.integers(0, 40), st.integers(1, 50), st.integers(0, 5))
def test_the_nearest_are_in_order(number: int, asked: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(number, 3)).astype(np.float32)
    query = np.zeros(3, np.float32)
    found = nearest(vectors, query, asked)
    away = distances(vectors, query)
    assert len(found) == min(number, asked)
    assert away[found].tolist() == sorted(away)[:asked]


def test_a_hand_is_not_like_itself_and_another_only_once() -> None:
    hands, partners = random_pairs(np.random.default_rng(1), 60)
    among = np.concatenate([hands, hands, partners])
    asked = hand_of(hands[7])
    found = similar(NET, asked, among, 5)
    shown = [each.hand for each in found]
    assert len(set(shown)) == 5
    assert asked not in shown
    away = distances(NET.vectors(hands_array(shown)), NET.vectors(hands_array([asked]))[0])
    assert [each.distance for each in found] == pytest.approx(away, abs=1e-5)
    assert (np.diff(away) >= 0).all()
    assert len(similar(NET, asked, among, 1000)) == 119
    assert similar(NET, asked, hands_array([asked]), 3) == []
    assert isinstance(found[0].hand, Hand)
