"""Swiss rounds against the rule as stated, tried out on all possible rounds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.tournaments.formats.pairings import (
    SwissRound,
    first_round,
    pair_swiss,
    round_robin,
)

NOBODY: frozenset[frozenset[int]] = frozenset()


def met(*pairs: tuple[int, int]) -> set[frozenset[int]]:
    return set(map(frozenset, pairs))


def all_rounds(ranks: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair an even number of ranks, in order of the rule's last point."""
    if not ranks:
        yield []
        return
    first, *others = ranks
    for opponent in others:
        rest = tuple(rank for rank in others if rank != opponent)
        for pairs in all_rounds(rest):
            yield [(first, opponent), *pairs]


def by_the_rule(
    standings: list[int], had_met: set[frozenset[int]], had_bye: set[int]
) -> SwissRound:
    """The best of all rounds, by sorting them."""
    count = len(standings)
    possible: list[tuple[tuple[object, ...], SwissRound]] = []
    byes = [rank for rank in range(count) if standings[rank] not in had_bye] or range(count)
    for bye in byes if count % 2 else [None]:
        for ranks in all_rounds(tuple(rank for rank in range(count) if rank != bye)):
            pairs = [(standings[high], standings[low]) for high, low in ranks]
            rematches = sum(frozenset(pair) in had_met for pair in pairs)
            merit = (rematches, 0 if bye is None else -bye, ranks)
            possible.append((merit, SwissRound(pairs, None if bye is None else standings[bye])))
    return min(possible, key=lambda item: item[0])[1]


@st.composite
def situations(
    draw: st.DrawFn,
) -> tuple[list[int], set[frozenset[int]], set[int]]:
    count = draw(st.integers(2, 8))
    standings = draw(st.permutations(range(count)))
    pairs = list(map(frozenset, combinations(range(count), 2)))
    fresh = draw(st.sets(st.sampled_from(pairs)))
    had_met = set(pairs) - fresh if draw(st.booleans()) else fresh
    return standings, had_met, draw(st.sets(st.sampled_from(standings)))


@given(situations())
def test_a_round_is_the_best_of_all_possible_rounds(
    situation: tuple[list[int], set[frozenset[int]], set[int]],
) -> None:
    assert pair_swiss(*situation) == by_the_rule(*situation)


def test_neighbours_meet() -> None:
    assert pair_swiss([4, 2, 0, 1, 3, 5], NOBODY, []) == SwissRound([(4, 2), (0, 1), (3, 5)], None)


def test_entries_that_have_met_go_down_as_little_as_possible() -> None:
    assert pair_swiss([0, 1, 2, 3], met((0, 1)), []) == SwissRound([(0, 2), (1, 3)], None)


def test_the_top_gives_way_where_the_rest_could_not_be_paired() -> None:
    """0-1 would leave 2 and 3, who have met."""
    assert pair_swiss([0, 1, 2, 3], met((2, 3)), []) == SwissRound([(0, 2), (1, 3)], None)


def test_the_top_of_many_weighs_more_than_all_below() -> None:
    """In a field of 40, the first's next opponent is worth worse ones for all others."""
    count = 40
    had_met = met((0, 1)) | met(*((1, low) for low in range(3, count - 1)))
    pairs = pair_swiss(range(count), had_met, []).pairs
    assert pairs[:2] == [(0, 2), (1, count - 1)]


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    assert pair_swiss([0, 1, 2, 3, 4], NOBODY, [4]) == SwissRound([(0, 1), (2, 4)], 3)


def test_the_bye_goes_higher_rather_than_cause_a_rematch() -> None:
    assert pair_swiss([0, 1, 2], met((0, 1)), []) == SwissRound([(0, 2)], 1)


def test_the_lowest_possible_bye_comes_before_the_opponent_of_the_first() -> None:
    """0-3 would leave 1, who can play nobody else, with the bye."""
    had_met = met((0, 1), (0, 2), (1, 2), (1, 4))
    assert pair_swiss([0, 1, 2, 3, 4], had_met, []) == SwissRound([(0, 4), (1, 3)], 2)


def test_no_second_bye_even_for_a_rematch() -> None:
    assert pair_swiss([0, 1, 2], met((0, 1)), [0, 1]) == SwissRound([(0, 1)], 2)


def test_the_lowest_has_another_bye_when_all_had_one() -> None:
    assert pair_swiss([2, 0, 1], NOBODY, [0, 1, 2]) == SwissRound([(2, 0)], 1)


@pytest.mark.parametrize("entries", [*range(2, 13), 25, 40])
def test_no_rematch_while_the_missing_matches_are_a_round_robin(entries: int) -> None:
    """The last round of a round robin is the only one left, and is found."""
    *played, last = round_robin(entries)
    had_met = met(*(pair for row in played for pair in row))
    had_bye = [entry for row in played for entry in range(entries) if entry not in sum(row, ())]
    result = pair_swiss(range(entries), had_met, had_bye)
    assert set(map(frozenset, result.pairs)) == set(map(frozenset, last))


@pytest.mark.parametrize("entries", range(2, 41))
def test_the_first_round_is_top_half_against_bottom_half(entries: int) -> None:
    result = first_round(entries)
    half = entries // 2
    assert result.pairs == list(zip(range(half), range(half, 2 * half), strict=True))
    assert result.bye == (entries - 1 if entries % 2 else None)


@pytest.mark.parametrize("standings", [[], [3]])
def test_too_few_entries_are_refused(standings: list[int]) -> None:
    message = f"at least 2 entries, not {len(standings)}"
    with pytest.raises(ValueError, match=message):
        pair_swiss(standings, NOBODY, [])
    with pytest.raises(ValueError, match=message):
        first_round(len(standings))


def test_an_entry_listed_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="listed twice"):
        pair_swiss([0, 1, 0], NOBODY, [])
