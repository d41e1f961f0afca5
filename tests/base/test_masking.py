"""The masking of secrets: nothing that gives one away is left, and nothing else is lost."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bridge_arena.base.masking import PART, Masking

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
