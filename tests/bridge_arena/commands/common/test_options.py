"""Options that several commands share."""

from __future__ import annotations

from datetime import datetime

import pytest

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.options import stop_of, time_of

NOW = datetime(2027, 3, 1, 18, 30).astimezone()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18:31", "2027-03-01T18:31"),
        ("18:30", "2027-03-02T18:30"),
        ("7:05", "2027-03-02T07:05"),
        ("2027-03-01T18:31", "2027-03-01T18:31"),
        ("2028-01-01 00:00", "2028-01-01T00:00"),
    ],
)
def test_a_time_to_stop_is_local_and_still_to_come(text: str, expected: str) -> None:
    assert time_of(text, NOW) == datetime.fromisoformat(expected).astimezone()


def test_a_time_to_stop_may_name_its_zone() -> None:
    named = time_of("2028-01-01T12:00+02:00", NOW)
    assert named == datetime.fromisoformat("2028-01-01T10:00+00:00")


@pytest.mark.parametrize("text", ["", "24:00", "noon", "2028-01-01", "18:30:10", "٢٣:٠٠"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UnusableError, match=rf"--stop-at {text}: expected HH:MM, or a date and"):
        stop_of(text, None)


def test_a_time_that_is_over_is_refused() -> None:
    with pytest.raises(UnusableError, match="--stop-at 2020-01-01T12:00: that is over"):
        stop_of("2020-01-01T12:00", None)


def test_the_order_to_stop_has_what_the_options_say() -> None:
    assert stop_of(None, None).at is None
    stop = stop_of("2099-01-01T12:00", 1)
    assert stop.at == datetime(2099, 1, 1, 12, 0).astimezone()
    assert [stop.begin(f"{board}", board) for board in (1, 2)] == [True, False]
