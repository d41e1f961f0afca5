"""What Prorok's tables learn from in several readings of his text."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba")

from benchmarks.papers.prorok_readings import DEALS, deals, of_estimate, of_layout
from bridge_arena.bots.library.tricks.net import Estimate, shipped
from bridge_arena.bots.qtable.examples import SCALE


def same_pairs(number: int) -> Estimate:
    """Return one pair of hands, many times; the second hand would take no trick."""
    mean = np.zeros((number, 5, 2), np.float32)
    mean[:, :, 0] = 6.2, 7.4, 8.6, 9.8, 8.1
    return Estimate(mean, np.full((number, 5, 2), 1.1, np.float32))


def test_layouts_score_what_is_expected_in_the_mean() -> None:
    number = 20_000
    mixing = np.linalg.cholesky(shipped().correlation)
    drawn = of_layout(same_pairs(number), mixing, np.random.default_rng(1))
    expected = of_estimate(same_pairs(1))[0]
    errors = drawn.std(axis=0, ddof=1) / number**0.5
    assert (drawn[:, 0] == 0).all()
    assert (abs(drawn.mean(axis=0) - expected)[1:] < 4.5 * errors[1:] + 0.2).all()


def test_a_layout_has_a_score_that_there_is() -> None:
    drawn = of_layout(same_pairs(500), np.eye(5), np.random.default_rng(1))
    assert set(drawn[:, 15]) <= {400 + 30 * n for n in range(5)} | {0 - 50, -100} | {
        -500, -800, -1100, -1400, -1700, -2000, -2300,
    }  # fmt: skip


def test_as_many_deals_as_his_all_of_his_shapes() -> None:
    sample = deals(100, layout=True)
    assert len(sample.east) == 100
    assert (sample.east >= 0).all()
    assert (sample.west >= 0).all()
    scores = sample.examples.scores
    cut = scores == np.iinfo(np.int16).min
    assert (cut | (scores % (10 * SCALE) == 0)).all(), "results, not means"
    assert DEALS == 550_000 - 109_940
