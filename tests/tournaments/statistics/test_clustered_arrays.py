"""Means of arrays with clustered errors: the same as those of lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics.means import Mean, clustered_mean, clustered_mean_of


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(-24, 24))))
def test_the_mean_of_arrays_is_the_clustered_mean(observations: list[tuple[int, int]]) -> None:
    clusters = np.array([cluster for cluster, _ in observations], np.int64)
    values = np.array([value for _, value in observations], np.int64)
    found, expected = clustered_mean_of(clusters, values), clustered_mean(observations)
    assert (found.n, found.mean is None) == (expected.n, expected.mean is None)
    assert found.mean == pytest.approx(expected.mean)
    assert found.standard_error == pytest.approx(expected.standard_error)


def test_a_deal_that_comes_twice_tells_once() -> None:
    once = clustered_mean_of(np.array([0, 1, 2]), np.array([1, 5, 9]))
    twice = clustered_mean_of(np.array([0, 0, 1, 1, 2, 2]), np.array([1, 1, 5, 5, 9, 9]))
    assert twice == Mean(6, once.mean, once.standard_error)
