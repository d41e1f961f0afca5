"""The gain of the best other choice has no luck in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.recorded.audit.luck import best_other
from bridge_arena.tournaments.statistics.means import Mean

LAYOUTS = 64


def test_a_clear_best_is_found_with_its_gain() -> None:
    gains = np.array([[-1.0] * 6, [2.0, 3.0, 2.0, 3.0, 2.0, 3.0]])
    best, mean = best_other(gains)
    assert (best, mean.n, mean.mean) == (1, 6, 2.5)
    assert mean.standard_error == pytest.approx(np.std(gains[1], ddof=1) / np.sqrt(6))


def test_the_best_call_on_one_half_is_measured_on_the_other() -> None:
    gains = np.array([[4.0, 0.0, 4.0, 0.0], [0.0, 2.0, 0.0, 2.0]])
    best, mean = best_other(gains)
    assert best == 0
    assert mean.mean == 0.0, "each was lucky on its own half alone"


@pytest.mark.parametrize("truth", [0.0, 1.0])
def test_noise_is_no_gain(truth: float) -> None:
    """Four other choices, all worth the same: the best of the means would look better."""
    rng = np.random.default_rng(5)
    found: list[float] = []
    luckiest: list[float] = []
    for _ in range(2000):
        gains = rng.normal(truth, 5.0, (4, LAYOUTS))
        mean = best_other(gains)[1].mean
        assert mean is not None
        found.append(mean)
        luckiest.append(gains.mean(axis=1).max())
    told, naive = Mean.of(found), Mean.of(luckiest)
    assert told.mean is not None
    assert told.standard_error is not None
    assert naive.mean is not None
    assert abs(told.mean - truth) < 2 * told.standard_error
    assert naive.mean - truth > 0.5, "so there is something to be mistaken about"


def test_the_standard_error_is_how_far_the_gain_is_off() -> None:
    rng = np.random.default_rng(6)
    means = [best_other(rng.normal(0.0, 5.0, (1, LAYOUTS)))[1] for _ in range(1000)]
    off = np.sqrt(np.mean([(each.mean or 0.0) ** 2 for each in means]))
    told = np.mean([each.standard_error or 0.0 for each in means])
    assert off == pytest.approx(told, rel=0.08)


@given(st.lists(st.lists(st.integers(-24, 24), min_size=8, max_size=8), min_size=1, max_size=5))
def test_the_gain_is_never_above_the_luckiest_of_each_half(rows: list[list[int]]) -> None:
    gains = np.array(rows, np.float64)
    best, mean = best_other(gains)
    assert mean.mean is not None
    halves = gains[:, ::2].mean(axis=1).max() + gains[:, 1::2].mean(axis=1).max()
    assert mean.mean <= halves / 2 + 1e-9
    assert gains[best].mean() == gains.mean(axis=1).max()
