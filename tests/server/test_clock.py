"""Time at the table."""

from __future__ import annotations

import pytest

from server.clock import Clock, TimeControl


@pytest.mark.parametrize(("text", "seconds"), [("60", 60.0), ("2.5", 2.5), ("1e-3", 0.001)])
def test_a_time_limit_is_seconds(text: str, seconds: float) -> None:
    assert TimeControl.parse(text) == TimeControl(seconds)


@pytest.mark.parametrize("text", ["", "0", "-1", "nan", "inf", "1m", "a minute", "5,5"])
def test_anything_else_is_no_time_limit(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time limit"):
        TimeControl.parse(text)


def test_the_clock_runs_from_when_the_seat_is_asked() -> None:
    clock = Clock(TimeControl(10.0))
    clock.start(100.0)
    assert clock.deadline == 110.0
    assert clock.elapsed(104.0) == 4.0
    assert clock.left(104.0) == 6.0


def test_no_time_is_left_after_the_deadline() -> None:
    clock = Clock(TimeControl(10.0))
    clock.start(100.0)
    assert clock.left(110.0) == 0.0
    assert clock.left(200.0) == 0.0
    assert clock.elapsed(200.0) == 100.0


def test_each_action_starts_afresh() -> None:
    clock = Clock(TimeControl(10.0))
    clock.start(100.0)
    clock.start(101.0)
    assert clock.deadline == 111.0
