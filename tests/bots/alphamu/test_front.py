"""Pareto fronts of worlds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.alphamu.search import insert, is_within, meet

vectors = st.lists(st.integers(0, 63), min_size=1, max_size=8)


def front_of(given: list[int]) -> list[int]:
    front: list[int] = []
    for vector in given:
        insert(front, vector)
    return front


def maximal(given: set[int]) -> set[int]:
    return {one for one in given if not any(one | other == other != one for other in given)}


@given(vectors)
def test_a_front_keeps_what_nothing_else_contains(given: list[int]) -> None:
    front = front_of(given)
    assert set(front) == maximal(set(given))
    assert len(front) == len(set(front))


@given(vectors, vectors)
def test_fronts_meet_in_what_both_reach(given: list[int], others: list[int]) -> None:
    met = meet(front_of(given), front_of(others))
    assert set(met) == maximal({one & other for one in given for other in others})
    assert len(met) == len(set(met))


def test_a_front_knows_a_plan_as_good_in_every_world() -> None:
    assert is_within(0b0101, [0b1000, 0b1101])
    assert is_within(0b0101, [0b0101])
    assert not is_within(0b0101, [0b0100, 0b0001, 0b1010])
    assert not is_within(0, [])


def test_nothing_is_reached_where_there_is_no_plan() -> None:
    assert meet([], [1]) == []
