"""Evidence by betting: against wealth computed board by board, and its promise, exactly."""

from __future__ import annotations

from itertools import product
from math import exp, log, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics.betting import (
    BETS,
    SWINGS,
    counts_of,
    evidence,
    interval,
    intervals,
)

SWING_LISTS = st.lists(st.integers(-24, 24), max_size=80)
LEVELS = st.floats(0.001, 0.5)


def wealth(swings: list[int], mean: float) -> float:
    """Bet on one board after the other."""
    purses = [1 / len(BETS)] * len(BETS)
    for swing in swings:
        odds = (swing + 24) / (mean + 24)
        purses = [
            purse * (1 - bet) + purse * bet * odds for purse, bet in zip(purses, BETS, strict=True)
        ]
    return sum(purses)


@given(SWING_LISTS, st.floats(-23, 23))
def test_the_evidence_is_the_wealth_of_bets_on_board_after_board(
    swings: list[int], mean: float
) -> None:
    assert float(evidence(counts_of(swings), mean)) == pytest.approx(
        log(wealth(swings, mean)), abs=1e-9
    )


def test_wealth_does_not_grow_on_average_and_seldom_reaches_a_bound() -> None:
    """All 2^11 sequences of swings whose mean is 0: -16 with 0.6, 24 with 0.4."""
    chance_of = {-16: 0.6, 24: 0.4}
    mean = reached = 0.0
    for swings in product(chance_of, repeat=11):
        chance = prod(chance_of[swing] for swing in swings)
        counts = np.cumsum(np.eye(49)[np.array(swings) + 24], axis=0)
        wealths = np.exp(evidence(counts))
        mean += chance * float(wealths[-1])
        reached += chance * bool((wealths >= 2).any())
    assert mean == pytest.approx(1)
    assert 0.1 < reached <= 1 / 2


@settings(deadline=None)
@given(SWING_LISTS, LEVELS)
def test_an_interval_has_the_mean_of_its_boards(swings: list[int], alpha: float) -> None:
    low, high = interval(counts_of(swings), alpha)
    mean = float(np.mean(swings)) if swings else 0.0
    assert -24 <= low <= mean + 1e-9
    assert mean - 1e-9 <= high <= 24


@settings(deadline=None)
@given(SWING_LISTS, LEVELS, LEVELS)
def test_an_interval_is_wider_for_a_smaller_alpha(
    swings: list[int], one: float, other: float
) -> None:
    small, large = (interval(counts_of(swings), alpha) for alpha in sorted((one, other)))
    assert small[0] <= large[0]
    assert large[1] <= small[1]


@settings(deadline=None)
@given(SWING_LISTS, LEVELS)
def test_the_other_side_has_the_opposite_interval(swings: list[int], alpha: float) -> None:
    low, high = interval(counts_of(swings), alpha)
    other = interval(counts_of([-swing for swing in swings]), alpha)
    assert other == pytest.approx((-high, -low), abs=1e-9)


def test_the_ends_of_an_interval_are_doubted_at_its_level() -> None:
    counts = counts_of([6, -5, 1, 0, 10, 0, -2, 13] * 40)
    low, high = interval(counts, 0.05)
    assert exp(float(evidence(counts, low))) == pytest.approx(40)
    assert exp(float(evidence(counts[::-1], -high))) == pytest.approx(40)


def test_an_interval_holds_at_every_look() -> None:
    """400 matches of 1,000 boards with a mean of 0.5: at most 5 % ever leave it out."""
    rng = np.random.default_rng(7)
    chances = np.exp(-((SWINGS - 0.5) ** 2) / 40)
    chances /= chances.sum()
    mean = float(SWINGS @ chances)
    swings = rng.choice(49, (400, 1000), p=chances)
    out = 0
    for boards in swings:
        counts = np.cumsum(np.eye(49)[boards], axis=0)
        above = evidence(counts, mean)
        below = evidence(counts[:, ::-1], -mean)
        out += bool((np.maximum(above, below) >= log(2 / 0.05)).any())
    assert 0 < out <= 20


@pytest.mark.parametrize("swing", [-25, 25])
def test_an_impossible_swing_is_not_counted(swing: int) -> None:
    with pytest.raises(ValueError, match="a board swings at most 24 IMPs"):
        counts_of([0, swing])


def bisected(counts: np.ndarray[tuple[int], np.dtype[np.int64]], alpha: float) -> float:
    """The lower end by bisection, as slow as it is simple."""
    low, high = -24.0, 24.0
    for _ in range(48):
        middle = (low + high) / 2
        is_doubted = evidence(counts, middle) >= log(2 / alpha)
        low, high = (middle, high) if is_doubted else (low, middle)
    return low


@settings(deadline=None, max_examples=25)
@given(st.lists(SWING_LISTS, max_size=8), LEVELS, st.sampled_from([1, 10**6]))
def test_many_intervals_are_those_of_each_alone_and_of_bisection(
    lists: list[list[int]], alpha: float, times: int
) -> None:
    counts = np.array([times * counts_of(swings) for swings in lists], np.int64).reshape(-1, 49)
    many = intervals(counts, alpha)
    assert many.shape == (len(lists), 2)
    assert [tuple(ends) for ends in many.tolist()] == [interval(row, alpha) for row in counts]
    slow = [(bisected(row, alpha), -bisected(row[::-1], alpha)) for row in counts]
    # The order in which the processor adds up may move an end by a step of the search.
    np.testing.assert_allclose(many, np.array(slow).reshape(-1, 2), rtol=0, atol=2e-13)
