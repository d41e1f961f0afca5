"""The rate of learning over a training."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bridge_arena.bots.library.learning.descent import rise_and_fall


def test_the_rate_rises_then_falls_to_nothing() -> None:
    share = rise_and_fall(1000, 0.1)
    rates = [share(step) for step in range(1001)]
    assert max(rates) == rates[100] == 1.0
    assert all(one < other for one, other in pairwise(rates[:101]))
    assert all(one > other for one, other in pairwise(rates[100:]))
    assert rates[550] == pytest.approx(0.5)
    assert rates[1000] == 0.0


@pytest.mark.parametrize("steps", [1, 2, 3, 20])
def test_a_few_steps_have_a_rate_as_well(steps: int) -> None:
    share = rise_and_fall(steps, 0.05)
    assert all(0 < share(step) <= 1 for step in range(steps))
    assert share(steps) == 0
