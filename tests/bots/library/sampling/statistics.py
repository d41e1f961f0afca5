"""Tests whether counts agree with expected frequencies."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import sqrt

LEAST = 8.0
"""Cases expected less often are counted together."""


def assert_drawn_from(counts: Mapping[Hashable, int], weights: Mapping[Hashable, float]) -> None:
    """Check that chi-square is within four deviations, and that nothing of weight 0 was drawn."""
    drawn = sum(counts.values())
    total = sum(weights.values())
    assert all(weights.get(case) for case in counts)
    statistic, cells, rare, expected_rare = 0.0, 0, 0, 0.0
    for case, weight in weights.items():
        expected = drawn * weight / total
        if expected < LEAST:
            rare += counts.get(case, 0)
            expected_rare += expected
        else:
            statistic += (counts.get(case, 0) - expected) ** 2 / expected
            cells += 1
    if expected_rare >= LEAST:
        statistic += (rare - expected_rare) ** 2 / expected_rare
        cells += 1
    assert cells > 1
    assert_usual(statistic, cells - 1)


def assert_alike(counts: Mapping[Hashable, int], others: Mapping[Hashable, int]) -> None:
    """Two samples of one distribution: chi-square within four deviations."""
    drawn, drawn_others = sum(counts.values()), sum(others.values())
    scale, cells, statistic = sqrt(drawn_others / drawn), 0, 0.0
    for case in {**counts, **others}:
        count, other = counts.get(case, 0), others.get(case, 0)
        if count + other >= 2 * LEAST:
            statistic += (count * scale - other / scale) ** 2 / (count + other)
            cells += 1
    assert cells > 1
    assert_usual(statistic, cells - 1)


def assert_usual(statistic: float, freedom: int) -> None:
    """A chi-square statistic has a mean of `freedom` and a variance of twice that."""
    limit = freedom + 4 * sqrt(2 * freedom) + 6
    assert statistic < limit, f"chi-square {statistic:.1f} of {freedom}, at most {limit:.1f}"
