"""Means, standard errors and percentiles."""

from __future__ import annotations

from math import sqrt

import pytest

from bridge_arena.tournaments.statistics.means import Mean, percentile


def test_no_observation_has_no_mean() -> None:
    assert Mean.of([]) == Mean(0, None, None)


def test_one_observation_has_no_standard_error() -> None:
    assert Mean.of([5]) == Mean(1, 5.0, None)


def test_a_worked_example_has_its_mean_and_error() -> None:
    # Mean 5, squared deviations 9+1+1+1+0+0+4+16 = 32, so s.e. = sqrt(32/7/8).
    mean = Mean.of([2, 4, 4, 4, 5, 5, 7, 9])
    assert (mean.n, mean.mean) == (8, 5.0)
    assert mean.standard_error == pytest.approx(sqrt(32 / 7 / 8))


def test_equal_observations_have_no_error() -> None:
    assert Mean.of([3, 3, 3]) == Mean(3, 3.0, 0.0)


def test_a_percentile_lies_between_two_observations() -> None:
    assert percentile([10, 20, 30], 50) == 20
    assert percentile([0, 100], 99) == pytest.approx(99)
    assert percentile([7], 99) == 7
    assert percentile([], 99) is None


def test_band_of_a_mean_is_a_standard_error_wide_on_each_side() -> None:
    assert Mean.of([1, 3]).band == (1.0, 3.0)
    assert Mean.of([5]).band == (5.0, 5.0)
    assert Mean.of([]).band == (0.0, 0.0)
