"""Tests of URLs whose passwords are not told."""

from __future__ import annotations

import pytest

from bridge_arena.base.url_passwords import without_password


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no postgresql://a:secret@host/b here", "no postgresql://a:***@host/b here"),
        ("postgresql://a:sec@ret@host/b", "postgresql://a:***@host/b"),
        ("postgresql://a@host:5432/b", "postgresql://a@host:5432/b"),
        ("http://one.example:80 http://two:x@host", "http://one.example:80 http://two:***@host"),
    ],
)
def test_a_password_is_not_told_also_if_there_is_an_at_sign_in_it(text: str, told: str) -> None:
    assert without_password(text) == told
