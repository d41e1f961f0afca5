"""The control variate: by hand, unbiased, and as sharp as it says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics.control_variate import PRIOR, control
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.significance import two_sided_t


def column(values: Sequence[float]) -> list[list[float]]:
    """Return values of which each deal has one."""
    return [[value] for value in values]


def test_values_that_tell_everything_leave_no_error() -> None:
    """Where the target swings as the values do, and their mean elsewhere is known well, the mean
    is that elsewhere, whatever the match's deals were."""
    target = [float(value % 11) for value in range(60)]
    elsewhere = [4.0, 6.0] * 50_000
    found = control(target, column(target), column(elsewhere), expected=[1.0])
    assert found.controlled.mean == pytest.approx(5, abs=1e-2)
    assert found.slopes == pytest.approx([1], rel=1e-3)
    assert found.correlation == pytest.approx(1)
    assert found.gain is not None
    assert found.gain > 100


def test_the_same_boards_and_more_of_them_are_a_longer_match() -> None:
    rng = np.random.default_rng(1)
    target, elsewhere = rng.integers(-10, 11, 20).tolist(), rng.integers(-10, 11, 80).tolist()
    found = control(target, column(target), column(elsewhere), expected=[1.0])
    assert found.controlled.mean == pytest.approx(Mean.of(target + elsewhere).mean)
    assert found.slopes == pytest.approx([0.8])


@settings(deadline=None)
@given(st.lists(st.integers(-24, 24), min_size=2, max_size=40))
def test_values_that_never_differ_change_nothing(swings: list[int]) -> None:
    found = control(swings, column([0] * len(swings)), column([0, 0, 0]), expected=[1.0])
    mean = Mean.of(swings)
    assert (found.correlation, found.raw) == (0, mean)
    assert found.controlled.mean == pytest.approx(mean.mean)
    assert found.controlled.standard_error == pytest.approx(mean.standard_error, abs=1e-9)


def test_a_worked_example_has_its_slopes_and_mean() -> None:
    """Of four deals, each has its b from the other three."""
    same, target = [0.0, 0.0, 3.0, 3.0], [0.0, 0.0, 3.0, 9.0]
    found = control(target, column(same), column([1, 2, 3, 4]), expected=[0.5])

    def slope(products: float, squares: float) -> float:
        expected = PRIOR * squares / 3
        return (products + 0.5 * expected) / (squares + expected) * 4 / (4 + 4)

    # Without a deal of 0 the other three have these sums of products and squares about their
    # means; without the third, 18 and 6; without the last, 6 and 6.
    first, third, last = slope(12, 6), slope(18, 6), slope(6, 6)
    assert found.slopes == pytest.approx([(2 * first + third + last) / 4])
    luck = 2 * first * (0 - 2.5) + (third + last) * (3 - 2.5)
    assert found.controlled.mean == pytest.approx(3 - luck / 4)


def test_two_values_tell_more_than_one() -> None:
    rng = np.random.default_rng(5)
    same, elsewhere = rng.normal(size=(300, 2)), rng.normal(size=(3000, 2))
    target = (same.sum(axis=1) + rng.normal(size=300)).tolist()
    both = control(target, same.tolist(), elsewhere.tolist(), expected=[1.0, 1.0])
    one = control(target, same[:, :1].tolist(), elsewhere[:, :1].tolist(), expected=[1.0])
    assert both.gain is not None
    assert one.gain is not None
    assert both.slopes == pytest.approx([0.9, 0.9], abs=0.1)
    assert both.gain > 1.5 * one.gain > 1.5


@pytest.mark.parametrize(("deals", "expected"), [(16, 1.0), (60, 1.0), (60, -1.0)])
def test_the_controlled_mean_is_unbiased_and_its_error_is_true(deals: int, expected: float) -> None:
    """Also where the expected slope is wrong."""
    rng = np.random.default_rng(7)
    estimates, errors = [], []
    for _ in range(1500):
        luck = rng.normal(0, 1, deals)
        # Skewed, so that a slope fitted on the same deals would be biased.
        target = 1 + 3 * luck + luck**2 + rng.normal(0, 2, deals)
        same = 0.5 + 2 * luck + 0.5 * luck**2 + rng.normal(0, 1, deals)
        other = rng.normal(0, 1, 4 * deals)
        elsewhere = 0.5 + 2 * other + 0.5 * other**2 + rng.normal(0, 1, 4 * deals)
        found = control(
            target.tolist(), column(same.tolist()), column(elsewhere.tolist()), expected=[expected]
        )
        assert found.controlled.mean is not None
        assert found.controlled.standard_error is not None
        estimates.append(found.controlled.mean)
        errors.append(found.controlled.standard_error)
    spread = float(np.std(estimates))
    assert np.mean(estimates) == pytest.approx(2, abs=4 * spread / 1500**0.5)
    inside = abs(np.array(estimates) - 2) <= two_sided_t(0.95, deals - 1) * np.array(errors)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.025)


@pytest.mark.parametrize(
    ("target", "same", "elsewhere", "message"),
    [
        (30, 29, 5, "30 deals of the match, but values of 29"),
        (1, 1, 5, "no luck can be told from 1 deals and 5 others"),
        (30, 30, 1, "no luck can be told from 30 deals and 1 others"),
    ],
)
def test_too_few_values_are_refused(target: int, same: int, elsewhere: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        control([0] * target, column([0] * same), column([0] * elsewhere), expected=[1.0])
