"""Secrets: in masked text nothing that gives one away is left, and nothing else is lost."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bridge_arena.base.masking import PART, Masking, bearer_token, without_password

KEY = "sk-0123456789abcdef"
KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=PART, max_size=20)
LATIN = st.text(st.characters(max_codepoint=255), max_size=30)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"Bearer {KEY}!", "Bearer *******************!"),
        (f"{KEY}{KEY}", "*" * 38),
        ("key 23456789 is bad", "key ******** is bad"),
        ("sk-01234567 and 9abcdef", "*********** and 9abcdef"),
        ("nothing", "nothing"),
    ],
)
def test_a_secret_and_its_parts_are_masked(text: str, masked: str) -> None:
    assert Masking([KEY]).text(text) == masked


@pytest.mark.parametrize(
    ("secret", "text", "masked"),
    [
        ("s3cret", "key=s3cret", "key=******"),
        ("dummy", "dummy has no key", "dummy has no key"),
        ("1", "11 of 12", "11 of 12"),
        ("", "all", "all"),
    ],
)
def test_a_short_secret_is_masked_unless_it_is_a_word(secret: str, text: str, masked: str) -> None:
    assert Masking([secret]).text(text) == masked


@given(LATIN, KEYS, LATIN)
def test_no_part_of_a_secret_is_left_in_text_or_bytes(before: str, key: str, after: str) -> None:
    assume("*" not in key)
    text, masking = before + key + after, Masking([key])
    masked = masking.text(text)
    assert not any(key[start : start + PART] in masked for start in range(len(key) - PART + 1))
    assert len(masked) == len(text)
    assert masking.data(text.encode("latin-1")) == masked.encode("latin-1")
    assert key not in masking.text(f"{before} {quote(key, safe='')} {after}")
    assert Masking(["another key"]).text(masked) == masked


def test_every_text_of_a_value_is_masked() -> None:
    value = {KEY: [1, None, True, {"error": f"no {KEY}"}], "who": 2.5}
    masked = "*" * len(KEY)
    assert Masking([KEY]).value(value) == {
        masked: [1, None, True, {"error": f"no {masked}"}],
        "who": 2.5,
    }


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
