"""Tests of the number of boards needed: textbook values, and simulations of the promised error
rates.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics.power import (
    boards_needed,
    chance_of_h1,
    chance_to_show,
    detectable,
    half_width,
    mean_boards,
)
from bridge_arena.tournaments.statistics.sequential import Sprt

SHARES = st.floats(0.01, 0.2)


def test_the_boards_needed_agree_with_a_textbook() -> None:
    """(1.96 + 0.84)^2 = 7.85 for 5 % and 80 %, times (6.5 / 0.5)^2."""
    assert boards_needed(0.5, 6.5, alpha=0.05, power=0.8) == 1327
    assert boards_needed(-0.5, 6.5, alpha=0.05, power=0.8) == 1327
    assert half_width(64, 6.5, alpha=0.05) == pytest.approx(1.59, abs=0.005)


@given(st.floats(0.05, 5), st.floats(1, 10), SHARES, st.floats(0.5, 0.99))
def test_the_boards_needed_show_the_difference_and_fewer_do_not(
    difference: float, deviation: float, alpha: float, power: float
) -> None:
    boards = boards_needed(difference, deviation, alpha=alpha, power=power)
    assert chance_to_show(difference, boards, deviation, alpha=alpha) >= power - 1e-9
    assert detectable(boards, deviation, alpha=alpha, power=power) <= difference + 1e-9
    if boards > 1:
        assert chance_to_show(difference, boards - 1, deviation, alpha=alpha) <= power + 1e-9


def test_the_chance_to_show_a_difference_comes_true() -> None:
    rng = np.random.default_rng(5)
    means = rng.normal(1.0, 5.3, size=(4000, 200)).mean(axis=1)
    shown = float((means > half_width(200, 5.3, alpha=0.05)).mean())
    assert shown == pytest.approx(chance_to_show(1.0, 200, 5.3, alpha=0.05), abs=0.02)


@given(SHARES, SHARES, st.floats(0.1, 3))
def test_a_sequential_test_errs_by_alpha_and_beta(alpha: float, beta: float, imp1: float) -> None:
    sprt = Sprt(0, imp1, alpha, beta)
    assert chance_of_h1(sprt, 0, 5) == pytest.approx(alpha)
    assert chance_of_h1(sprt, imp1, 5) == pytest.approx(1 - beta)


@given(st.floats(-24, 24))
def test_more_boards_are_never_needed_than_about_halfway(mean: float) -> None:
    sprt = Sprt()
    assert 0 <= chance_of_h1(sprt, mean, 5) <= 1
    assert 1 <= mean_boards(sprt, mean, 5) <= mean_boards(sprt, 0.25, 5) * (1 + 1e-6)
    assert mean_boards(sprt, mean, 5) == pytest.approx(mean_boards(sprt, 0.5 - mean, 5), rel=1e-6)


def test_the_mean_number_of_boards_comes_true() -> None:
    """A walk that ends on a bound: normal boards, and small steps."""
    sprt, deviation = Sprt(0, 0.5), 5.0
    rng = np.random.default_rng(6)
    lower, upper = sprt.bounds
    for mean in (0.0, 0.25, 0.7):
        steps = 0.5 / 25 * (rng.normal(mean, deviation, size=(600, 6000)) - 0.25)
        walk = steps.cumsum(axis=1)
        ends = ((walk <= lower) | (walk >= upper)).argmax(axis=1)
        accepted = walk[np.arange(len(walk)), ends] >= upper
        assert float((ends + 1).mean()) == pytest.approx(mean_boards(sprt, mean, 5), rel=0.1)
        assert float(accepted.mean()) == pytest.approx(chance_of_h1(sprt, mean, 5), abs=0.06)


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="no number of boards shows a difference of 0"):
        boards_needed(0, 5, alpha=0.05, power=0.8)
    with pytest.raises(ValueError, match="a standard deviation of 0 IMPs is impossible"):
        boards_needed(1, 0, alpha=0.05, power=0.8)
    with pytest.raises(ValueError, match="alpha 1 does not lie between 0 and 1"):
        half_width(10, 5, alpha=1)
    with pytest.raises(ValueError, match="power 0 does not lie between 0 and 1"):
        detectable(10, 5, alpha=0.05, power=0)
    with pytest.raises(ValueError, match="0 boards show nothing"):
        chance_to_show(1, 0, 5, alpha=0.05)
