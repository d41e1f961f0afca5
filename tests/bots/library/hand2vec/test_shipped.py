"""The net that ships."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.library.hand2vec.net import distances, shipped
from bridge_arena.bots.library.learning.hands import hands_array, random_pairs
from bridge_arena.bots.library.tricks.data import read_means
from bridge_arena.bridge.cards import Hand
from tests.data import data_path


@pytest.mark.slow
def test_the_shipped_net_is_as_near_to_means_of_ten_layouts_as_the_papers() -> None:
    known = read_means(data_path("hand2vec", "hands-validate-50000.csv"))
    known = known.rows(slice(0, 10_000))
    off = np.abs(shipped().estimate(known.hands, known.partners) - known.tricks)
    assert (off[:, :4] <= 0.5).mean() > 0.8395
    assert (off[:, 4] <= 0.5).mean() > 0.7221


def test_the_vectors_of_the_shipped_net_are_normal() -> None:
    vectors = shipped().vectors(np.concatenate(random_pairs(np.random.default_rng(5), 20_000)))
    assert vectors.shape == (40_000, 8)
    assert np.allclose(vectors.mean(axis=0), 0, atol=0.03)
    assert np.allclose(vectors.std(axis=0), 1, atol=0.03)


def test_small_cards_matter_less_than_honours_and_lengths() -> None:
    texts = "AKQ2.QJT987.32.2", "AKQ3.QJT976.42.3", "AK92.QJT987.32.2", "AKQ2.QJT98.432.2"
    hand, spots, honour, length = shipped().vectors(hands_array(map(Hand.parse, texts)))
    away = distances(np.stack([spots, honour, length]), hand)
    assert away[0] < 0.15
    assert away[0] < away[1:].min() / 2
