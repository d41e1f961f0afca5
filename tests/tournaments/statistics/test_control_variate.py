"""The control variate: by hand, unbiased, and as sharp as it says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics.control_variate import control
from bridge_arena.tournaments.statistics.means import Mean


def test_stand_ins_that_tell_everything() -> None:
    """Where the target swings by twice the stand-ins, and their mean elsewhere is known well,
    the mean is twice that elsewhere, whatever the match's deals were."""
    stand_ins = [float(value % 11) for value in range(60)]
    elsewhere = [4.0, 6.0] * 500_000
    found = control([2 * value for value in stand_ins], stand_ins, elsewhere)
    assert found.controlled.mean == pytest.approx(10, abs=1e-3)
    assert found.slope == pytest.approx(2, rel=1e-3)
    assert found.correlation == pytest.approx(1)
    assert found.gain is not None
    assert found.gain > 1000


@settings(deadline=None)
@given(st.lists(st.integers(-24, 24), min_size=30, max_size=40))
def test_stand_ins_that_never_swing_change_nothing(swings: list[int]) -> None:
    found = control(swings, [0] * len(swings), [0, 0, 0])
    mean = Mean.of(swings)
    assert (found.slope, found.correlation, found.raw) == (0, 0, mean)
    assert found.controlled.mean == pytest.approx(mean.mean)
    assert found.controlled.standard_error == pytest.approx(mean.standard_error, abs=1e-9)


def test_worked_example_in_two_folds() -> None:
    """The deals take turns in the folds. The slope is 2 over the first fold and 1 over the
    second, and each counts, times 2 / (6 + 2), for the other fold."""
    stand_ins = [0, 1, 1, 2, 2, 3]
    target = [0, 3, 2, 4, 4, 5]
    found = control(target, stand_ins, [3, 5], folds=2)
    assert found.slope == pytest.approx((0.25 + 0.5) / 2)
    # The folds' stand-ins swung by 1 and by 2, where they swing by 4 elsewhere.
    assert found.controlled.mean == pytest.approx(3 - (0.25 * (1 - 4) + 0.5 * (2 - 4)) / 2)


def test_it_is_unbiased_and_its_error_is_true() -> None:
    rng = np.random.default_rng(7)
    estimates, errors = [], []
    for _ in range(2000):
        luck = rng.normal(0, 1, 60)
        # Skewed, so that a slope fitted on the same deals would be biased.
        target = 1 + 3 * luck + luck**2 + rng.normal(0, 2, 60)
        stand_ins = 0.5 + 2 * luck + 0.5 * luck**2 + rng.normal(0, 1, 60)
        other = rng.normal(0, 1, 120)
        elsewhere = 0.5 + 2 * other + 0.5 * other**2 + rng.normal(0, 1, 120)
        found = control(target.tolist(), stand_ins.tolist(), elsewhere.tolist())
        assert found.controlled.mean is not None
        assert found.controlled.standard_error is not None
        estimates.append(found.controlled.mean)
        errors.append(found.controlled.standard_error)
    spread = float(np.std(estimates))
    assert np.mean(estimates) == pytest.approx(2, abs=4 * spread / 2000**0.5)
    assert np.mean(errors) == pytest.approx(spread, rel=0.08)


@pytest.mark.parametrize(
    ("target", "stand_ins", "elsewhere", "folds", "message"),
    [
        (30, 29, 5, 10, "30 deals of the match, but 29 of the stand-ins"),
        (29, 29, 5, 10, "29 deals are too few for 10 folds of 3"),
        (30, 30, 5, 1, "30 deals are too few for 1 folds"),
        (30, 30, 1, 10, "the stand-ins' mean cannot be known from 1 other deals"),
    ],
)
def test_too_little(target: int, stand_ins: int, elsewhere: int, folds: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        control([0] * target, [0] * stand_ins, [0] * elsewhere, folds=folds)
