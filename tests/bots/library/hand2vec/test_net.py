"""The vectors of hands, in numpy, and the hands that they call similar."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.hand2vec.net import (
    HIDDEN,
    MIDDLE,
    WIDTH,
    Hand2VecNet,
    distances,
    nearest,
    similar,
)
from bridge_arena.bots.library.learning.arrays import ArraysError, write_arrays
from bridge_arena.bots.library.learning.hands import hand_of, hands_array, random_pairs
from bridge_arena.bridge.cards import Hand
from tests.bots.library.hand2vec.nets import weights_of


@given(st.integers(1, 9), st.integers(0, 3))
def test_either_hand_may_be_named_first(dimensions: int, seed: int) -> None:
    net = Hand2VecNet(weights_of(dimensions))
    hands, partners = random_pairs(np.random.default_rng(seed), 30)
    one, other = net.estimate(hands, partners), net.estimate(partners, hands)
    assert one.shape == (30, 5, 2)
    assert (one == other[:, :, ::-1]).all()
    assert net.dimensions == dimensions


def test_hands_in_great_number_are_as_hands_alone() -> None:
    net = Hand2VecNet(weights_of(3))
    hands, partners = random_pairs(np.random.default_rng(1), 2100)
    assert np.allclose(net.vectors(hands)[-1:], net.vectors(hands[-1:]), atol=1e-5)
    found = net.estimate(hands, partners)
    assert np.allclose(found[-1:], net.estimate(hands[-1:], partners[-1:]), atol=1e-5)
    assert net.vectors(hands[:0]).shape == (0, 3)
    assert net.estimate(hands[:0], partners[:0]).shape == (0, 5, 2)


def test_elu_is_between_the_layers_and_nowhere_else() -> None:
    arrays = {name: np.zeros_like(each) for name, each in weights_of(1).items()}
    arrays["embedding.0.bias"][:] = -1
    arrays["embedding.1.weight"][:, 0] = 1
    arrays["embedding.2.weight"][:, 0] = 1
    hands, partners = random_pairs(np.random.default_rng(1), 2)
    net = Hand2VecNet(arrays)
    assert net.vectors(hands) == pytest.approx(np.expm1(np.expm1(-1.0)), abs=1e-5)
    arrays["tricks.2.bias"][:] = [-3, -2, -1, 0, 1]
    told = Hand2VecNet(arrays).estimate(hands, partners)
    assert (told[:, :, 0] == MIDDLE + np.arange(-3, 2)).all()


def test_a_file_of_weights_is_read(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    arrays = weights_of(4)
    write_arrays(path, arrays)
    found = Hand2VecNet.read(path)
    assert found.weights.keys() == arrays.keys()
    assert all((found.weights[name] == arrays[name]).all() for name in arrays)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"embedding.0.weight": np.zeros((HIDDEN, 51))}, "weight is 32 × 51, expected 32 × 52"),
        ({"embedding.2.weight": np.zeros((8, 3))}, "weight is 8 × 3, expected n × 32"),
        ({"tricks.0.weight": np.zeros((WIDTH, 8))}, "weight is 128 × 8, expected 128 × 16"),
        ({"tricks.2.bias": np.full(5, np.nan)}, "tricks.2.bias holds something"),
        ({"embedding.2.weight": None}, "there is no array embedding.2.weight"),
        ({"other": np.zeros(2)}, "other is no part of a hand2vec net"),
    ],
)
def test_a_file_of_other_arrays_is_refused_as_a_net(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    path = tmp_path / "weights.npz"
    kept = {name: each for name, each in (weights_of(8) | changes).items() if each is not None}
    write_arrays(path, kept)
    with pytest.raises(ArraysError, match=rf"weights\.npz: .*{said}"):
        Hand2VecNet.read(path)


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
