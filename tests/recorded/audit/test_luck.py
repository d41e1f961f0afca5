"""The luck of a choice: none on average for whoever does not know the true layout."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from bridge_arena.recorded.audit.luck import Numbers, luck

CHOICES, LAYOUTS, TIMES = 4, 16, 4000


def chances(seed: int) -> list[Numbers]:
    """Values in layouts of which the first is the true one: all drawn alike."""
    rng = np.random.default_rng(seed)
    # So that some choices are better than others, on average, at each time.
    merits = rng.normal(size=(TIMES, CHOICES, 1))
    return list(merits + rng.normal(size=(TIMES, CHOICES, LAYOUTS + 1)))


def t_of(lucks: list[float]) -> float:
    found = np.array(lucks)
    return float(found.mean() / (found.std() / np.sqrt(len(found))))


def test_honest_choices_have_no_luck() -> None:
    times = chances(1)
    lowest = [luck(each[:, 1:], each[:, 0], 0).amount for each in times]
    # By layouts of its own, as an honest bot chooses that samples.
    own = slice(1, 9)
    sampled = [
        luck(each[:, 9:], each[:, 0], int(each[:, own].mean(axis=1).argmax())).amount
        for each in times
    ]
    assert abs(t_of(lowest)) < 3
    assert abs(t_of(sampled)) < 3


def test_choices_of_who_sees_the_truth_have_luck() -> None:
    seeing = [luck(each[:, 1:], each[:, 0], int(each[:, 0].argmax())).amount for each in chances(3)]
    assert t_of(seeing) > 20


def test_the_best_is_not_judged_by_the_layouts_that_it_was_found_on() -> None:
    rng = np.random.default_rng(4)
    alike = rng.normal(size=(TIMES, CHOICES, LAYOUTS + 1))

    def flattered(values: Numbers, true: Numbers) -> float:
        best = int(values.mean(axis=1).argmax())
        return float(true[0] - true[best] - (values[0] - values[best]).mean())

    assert t_of([flattered(each[:, 1:], each[:, 0]) for each in alike]) > 10
    assert abs(t_of([luck(each[:, 1:], each[:, 0], 0).amount for each in alike])) < 3


VALUES = arrays.arrays(
    np.float64, (3, 9), elements=st.integers(0, 13).map(float), fill=st.nothing()
)


@given(VALUES, st.integers(0, 2))
def test_only_differences_count(values: Numbers, chosen: int) -> None:
    found = luck(values[:, 1:], values[:, 0], chosen)
    shifted = values + np.arange(9.0)
    again = luck(shifted[:, 1:], shifted[:, 0], chosen)
    assert found.amount == pytest.approx(again.amount)
    assert found.variance == pytest.approx(again.variance)


@given(VALUES)
def test_the_best_choice_in_every_layout_has_no_luck(values: Numbers) -> None:
    best = np.vstack([values.max(axis=0), values])
    found = luck(best[:, 1:], best[:, 0], 0)
    assert (found.amount, found.variance, found.best) == (0.0, 0.0, 0)


def test_a_difference_may_be_worth_something_else() -> None:
    values = np.array([[500.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    found = luck(values[:, 1:], values[:, 0], 0, lambda difference: difference / 100)
    assert found.amount == 0.0  # equal on average, so the one chosen is the best
    values[1, 1:] = 1000.0
    found = luck(values[:, 1:], values[:, 0], 0, lambda difference: difference / 100)
    assert found.amount == 15.0
    assert found.best == 1
