"""The sign-flip test against counting by hand and by brute force."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics import significance
from bridge_arena.tournaments.statistics.significance import sign_flip_p_value


def brute_force(differences: list[int]) -> float:
    sums = [
        abs(sum(sign * size for sign, size in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    return sum(total >= abs(sum(differences)) for total in sums) / len(sums)


def test_no_difference_has_nothing_to_test() -> None:
    assert sign_flip_p_value([]) is None


@pytest.mark.parametrize(
    ("differences", "p_value"),
    [
        ([0, 0], 1.0),
        ([5], 1.0),
        ([5, 5], 0.5),  # 2 of 4
        ([1, 2, 3], 0.25),  # 2 of 8
        ([3] * 10, 2 / 1024),
        ([7, -9, 0], 1.0),
    ],
)
def test_worked_examples_have_their_p_values(differences: list[int], p_value: float) -> None:
    assert sign_flip_p_value(differences) == pytest.approx(p_value)


@settings(deadline=None)
@given(st.lists(st.integers(-24, 24), min_size=1, max_size=8))
def test_the_exact_value_is_that_of_brute_force(differences: list[int]) -> None:
    assert sign_flip_p_value(differences) == pytest.approx(brute_force(differences))


def test_the_estimate_comes_near_the_exact_value_and_repeats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    differences = [8, -2, 5, 0, 11, -6, 3, 3, -1, 7, 10, -4]
    exact = sign_flip_p_value(differences)
    monkeypatch.setattr(significance, "EXACT_UP_TO", 0)
    estimate = sign_flip_p_value(differences, seed=3)
    assert estimate == pytest.approx(exact, abs=0.02)
    assert estimate == sign_flip_p_value(differences, seed=3)
