"""Gradient descent, and the rate over its steps."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.library.learning import descent as learning


def descent(longest: float = 100.0) -> Any:
    """Return a net of one weight, 4, with a rate of 0.5 that halves at each step."""
    net = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(net.weight, 4.0)
    optimizer = torch.optim.SGD(net.parameters(), 0.5)
    return learning.Descent(net, optimizer, lambda step: 0.5**step, longest=longest, keep=0.5)


def weight(net: Any) -> float:
    return float(net.weight.detach())


def step(going: Any) -> float:
    """Descend the square of the weight, whose gradient is twice the weight."""
    going.step(going.net.weight.square().sum())
    return weight(going.net)


def test_each_step_goes_down_at_its_rate() -> None:
    going = descent()
    assert step(going) == 4 - 0.5 * 8
    going = descent(longest=2.0)
    assert step(going) == pytest.approx(4 - 0.5 * 2)
    assert step(going) == pytest.approx(3 - 0.25 * 2)
    assert going.done == 2


def test_weights_are_averaged_over_the_last_steps() -> None:
    going = descent(longest=2.0)
    mean = 4.0
    for done in (1, 2, 3):
        keep = min(0.5, done / (done + 10))
        mean = keep * mean + (1 - keep) * step(going)
    assert weight(going.averaged) == pytest.approx(mean)
    assert weight(going.averaged) != pytest.approx(weight(going.net))


def test_descent_goes_on_from_a_file(tmp_path: Path) -> None:
    whole, parts = descent(longest=1.0), descent(longest=1.0)
    step(whole)
    step(parts)
    learning.save_state(tmp_path / "checkpoint", parts.state())
    again = descent(longest=1.0)
    again.load(learning.load_state(tmp_path / "checkpoint"))
    assert again.done == 1
    assert step(again) == step(whole) != step(descent(longest=1.0))
    assert weight(again.averaged) == weight(whole.averaged)


def test_an_error_of_the_disk_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file or directory"):
        learning.save_state(tmp_path / "nowhere" / "checkpoint", descent().state())


def test_the_rate_rises_then_falls_to_nothing() -> None:
    share = learning.rise_and_fall(1000, 0.1)
    rates = [share(step) for step in range(1001)]
    assert max(rates) == rates[100] == 1.0
    assert all(one < other for one, other in pairwise(rates[:101]))
    assert all(one > other for one, other in pairwise(rates[100:]))
    assert rates[550] == pytest.approx(0.5)
    assert rates[1000] == 0.0


@pytest.mark.parametrize("steps", [1, 2, 3, 20])
def test_a_few_steps_have_a_rate_as_well(steps: int) -> None:
    share = learning.rise_and_fall(steps, 0.05)
    assert all(0 < share(step) <= 1 for step in range(steps))
    assert share(steps) == 0
