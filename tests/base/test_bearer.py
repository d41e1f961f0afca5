"""The token of a bearer."""

from __future__ import annotations

import pytest

from bridge_arena.base.bearer import bearer_token


@pytest.mark.parametrize(
    ("header", "token"),
    [
        ("Bearer secret", "secret"),
        ("bearer   secret", "secret"),
        ("BEARER secret", "secret"),
        ("Basic secret", ""),
        ("secret", ""),
        ("Bearer", ""),
        ("", ""),
    ],
)
def test_the_token_is_read_from_a_header(header: str, token: str) -> None:
    assert bearer_token(header) == token
