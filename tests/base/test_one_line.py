"""A text of others, as one line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.one_line import one_line


@given(text=st.text(), most=st.integers(0, 20))
def test_one_line_of_any_text_can_be_printed_and_is_no_longer_than_the_text(
    text: str, most: int
) -> None:
    assert one_line(text).isprintable()
    assert len(one_line(text)) == len(text)
    assert one_line(text, most) == one_line(text)[:most]
