"""Quantiles of Student's t against printed tables."""

from __future__ import annotations

from math import pi, tan
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics.significance import two_sided_p, two_sided_t


@pytest.mark.parametrize(
    ("share", "degrees", "t"),
    [
        (0.95, 1, 12.7062),
        (0.95, 2, 4.30265),
        (0.95, 3, 3.18245),
        (0.95, 7, 2.36462),
        (0.95, 10, 2.22814),
        (0.95, 30, 2.04227),
        (0.95, 120, 1.97993),
        (0.99, 4, 4.60409),
        (0.999, 2, 31.5991),
        (0.5, 5, 0.72669),
    ],
)
def test_quantiles_agree_with_the_printed_table(share: float, degrees: float, t: float) -> None:
    assert two_sided_t(share, degrees) == pytest.approx(t, rel=1e-5)


@given(st.floats(0, 0.999))
def test_the_ends_are_cauchy_and_normal(share: float) -> None:
    assert two_sided_t(share, 1) == pytest.approx(tan(pi / 2 * share), rel=1e-6)
    normal = NormalDist().inv_cdf(0.5 + share / 2)
    assert two_sided_t(share, 1e12) == pytest.approx(normal, rel=1e-4, abs=1e-9)


@given(st.floats(0.01, 0.99), st.floats(1, 1e4))
def test_more_freedom_brings_the_tails_in(share: float, degrees: float) -> None:
    assert two_sided_t(share, degrees) > two_sided_t(share, 1.01 * degrees)


@given(st.floats(0.001, 0.999), st.floats(1, 1e4))
def test_the_tail_is_what_the_middle_leaves(share: float, degrees: float) -> None:
    t = two_sided_t(share, degrees)
    assert two_sided_p(t, degrees) == pytest.approx(1 - share, abs=1e-7)
    assert two_sided_p(-t, degrees) == two_sided_p(t, degrees)


def test_less_than_one_degree_of_freedom_is_refused() -> None:
    with pytest.raises(ValueError, match=r"0.5 degrees"):
        two_sided_p(1.0, 0.5)


@pytest.mark.parametrize(("share", "degrees"), [(1.0, 5.0), (-0.1, 5.0), (0.9, 0.9)])
def test_probabilities_out_of_range_are_refused(share: float, degrees: float) -> None:
    with pytest.raises(ValueError, match="no t for a share of"):
        two_sided_t(share, degrees)
