"""The biggest items are kept, and of equal ones the earlier."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.recorded.field.overview import Biggest


@given(st.lists(st.integers(0, 5)), st.integers(0, 4))
def test_the_biggest_are_those_that_sorting_would_give(sizes: list[int], most: int) -> None:
    biggest: Biggest[tuple[int, int]] = Biggest(most)
    items = list(enumerate(sizes))
    for item in items:
        biggest.add(item[1], item)
    assert list(biggest) == sorted(items, key=lambda item: -item[1])[:most]
