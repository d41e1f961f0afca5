"""Numbers of any length in recorded text."""

from __future__ import annotations

import pytest

from bridge_arena.base.recorded_text import capped, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("013", 13),
        ("999999999", 999_999_999),
        ("1000000000", None),
        ("9" * 5000, None),
        ("", None),
        ("-1", None),
        ("²", None),
        ("٣", None),
        ("1 ", None),
    ],
)
def test_whole_numbers_are_told_from_other_text(text: str, number: int | None) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("+7", 7),
        ("-7", -7),
        ("0" * 5000 + "12", 12),
        ("0" * 5000, 0),
        ("-" + "0" * 20, 0),
    ],
)
def test_capped_numbers_are_themselves(text: str, number: int) -> None:
    assert capped(text) == number


def test_capped_numbers_are_beyond_all_others() -> None:
    assert capped("9" * 5000) > 999_999_999
    assert capped("-" + "1" * 5000) < -999_999_999
