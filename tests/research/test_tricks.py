"""The calibration of an estimate of tricks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots.library.tricks.data import Known
from bridge_arena.bots.library.tricks.net import Estimate
from research.tricks import by_deal, making, quantiles, surprise

pytestmark = pytest.mark.slow

NUMBER = 4000


def estimate_of(mean: float, deviation: float) -> Estimate:
    shape = (NUMBER, 5, 2)
    return Estimate(np.full(shape, mean, np.float32), np.full(shape, deviation, np.float32))


def drawn(estimate: Estimate) -> NDArray[np.int64]:
    """Draw tricks from the distribution that the estimate gives."""
    ladder = estimate.distribution().cumsum(axis=-1)
    above = np.random.default_rng(1).random(ladder.shape[:-1])[..., None] > ladder
    tricks: NDArray[np.int64] = np.minimum(above.sum(axis=-1), 13)
    return tricks


def test_what_is_drawn_from_the_distribution_is_spread_evenly_in_it() -> None:
    estimate = estimate_of(8.3, 1.1)
    fell = quantiles(estimate.distribution(), drawn(estimate), np.random.default_rng(2))
    shares = np.histogram(fell, bins=10, range=(0, 1))[0] / fell.size
    assert shares == pytest.approx(0.1, abs=0.006)


def test_an_estimate_that_is_too_high_is_seen() -> None:
    tricks = drawn(estimate_of(8.3, 1.1))
    fell = quantiles(estimate_of(9.3, 1.1).distribution(), tricks, np.random.default_rng(2))
    assert (fell < 0.1).mean() > 0.2


def test_contracts_make_as_often_as_is_said() -> None:
    estimate = estimate_of(9.1, 1.3)
    probability, made = making(estimate.distribution(), drawn(estimate))
    assert probability.shape == made.shape == (NUMBER, 5, 2, 7)
    of_levels = made.mean(axis=(0, 1, 2))
    assert of_levels == pytest.approx(probability[0, 0, 0], abs=0.01)
    assert (np.diff(probability[0, 0, 0]) < 0).all()


def test_the_surprise_is_least_where_the_deviation_is_right() -> None:
    tricks = drawn(estimate_of(8.3, 1.1))
    losses = {
        deviation: surprise(estimate_of(8.3, deviation).distribution(), tricks).mean()
        for deviation in (0.8, 1.1, 1.5)
    }
    assert min(losses, key=lambda each: losses[each]) == 1.1


def test_the_pairs_of_a_deal_come_together() -> None:
    pairs = np.arange(6)  # of three deals: North and South's, then East and West's
    hands = np.zeros((6, 52), np.bool_)
    known = Known(hands, hands, np.broadcast_to(pairs[:, None, None], (6, 5, 2)).astype(np.float32))
    assert by_deal(known).tricks[:, 0, 0].tolist() == [0, 3, 1, 4, 2, 5]
