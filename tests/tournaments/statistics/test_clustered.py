"""Means of observations that belong together."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics.means import Mean, clustered_mean

VALUES = st.lists(st.integers(-13, 13), max_size=20)


def test_a_worked_example_has_its_clustered_error() -> None:
    """Mean 2; the clusters' sums of distances are -2, -1 and 3."""
    mean = clustered_mean([("a", 1), ("b", 0), ("a", 1), ("b", 3), ("c", 5)])
    assert (mean.n, mean.mean) == (5, 2.0)
    assert mean.standard_error == pytest.approx(sqrt((4 + 1 + 9) * 3 / 2) / 5)


@given(VALUES)
def test_clusters_of_one_give_the_usual_error(values: list[int]) -> None:
    clustered, usual = clustered_mean(enumerate(values)), Mean.of(values)
    assert (clustered.n, clustered.mean) == (usual.n, usual.mean)
    assert clustered.standard_error == pytest.approx(usual.standard_error)


@given(VALUES.filter(lambda values: len(values) > 1))
def test_every_observation_twice_tells_no_more(values: list[int]) -> None:
    once = clustered_mean(enumerate(values))
    twice = clustered_mean([*enumerate(values), *enumerate(values)])
    assert twice.n == 2 * once.n
    assert twice.mean == pytest.approx(once.mean)
    assert twice.standard_error == pytest.approx(once.standard_error)


def test_one_cluster_has_no_error() -> None:
    assert clustered_mean([("a", 1), ("a", 2)]) == Mean(2, 1.5, None)
    assert clustered_mean([]) == Mean(0, None, None)
