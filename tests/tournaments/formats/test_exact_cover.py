"""Exact cover."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.tournaments.formats.movements import exact_cover

# Knuth, Dancing Links, section "The exact cover problem": rows 1, 4 and 5 of six.
KNUTH = {1: "CEF", 2: "ADG", 3: "BCF", 4: "AD", 5: "BG", 6: "DEG"}


def test_the_example_of_the_paper_is_covered() -> None:
    rows = {row: frozenset(things) for row, things in KNUTH.items()}
    assert sorted(exact_cover(rows, "ABCDEFG") or []) == [1, 4, 5]


@given(
    st.lists(st.frozensets(st.integers(0, 5), min_size=1), max_size=7), st.sets(st.integers(0, 5))
)
def test_a_cover_is_found_whenever_there_is_one(
    choices: list[frozenset[int]], wanted: set[int]
) -> None:
    def covers(chosen: tuple[int, ...]) -> bool:
        taken = [thing for index in chosen for thing in choices[index]]
        return len(set(taken)) == len(taken) and wanted <= set(taken)

    found = exact_cover(dict(enumerate(choices)), sorted(wanted))
    if found is not None:
        assert covers(tuple(found))
    else:
        numbers = range(len(choices))
        sizes = range(len(choices) + 1)
        assert not any(covers(chosen) for size in sizes for chosen in combinations(numbers, size))
