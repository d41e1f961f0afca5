"""The seeded bracket."""

from __future__ import annotations

import pytest

from bridge_arena.tournaments.formats.pairings import bracket, next_round


def test_the_bracket_of_eight_is_the_usual_draw() -> None:
    """1-8, 4-5; 2-7, 3-6."""
    assert bracket(8) == [(0, 7), (3, 4), (1, 6), (2, 5)]


def test_byes_go_to_the_top_seeds() -> None:
    assert bracket(5) == [(0, None), (3, 4), (1, None), (2, None)]


@pytest.mark.parametrize("entries", range(2, 41))
def test_favourites_meet_as_seeded(entries: int) -> None:
    """With no upset, each round's best meets its worst, the next best its next worst, ..."""
    first = bracket(entries)
    places = 2 * len(first)
    assert places // 2 < entries <= places == 1 << (places.bit_length() - 1)
    assert sorted(home for home, _ in first) == list(range(places // 2))
    for home, visitors in first:
        other = places - 1 - home
        assert visitors == (other if other < entries else None)
    winners = [home for home, _ in first]
    while len(winners) > 1:
        pairs = next_round(winners)
        assert all(home + visitors == len(winners) - 1 for home, visitors in pairs)
        winners = [home for home, _ in pairs]
    assert winners == [0]


def test_the_next_round_keeps_the_bracket_with_the_better_seed_at_home() -> None:
    assert next_round([7, 3, 6, 5]) == [(3, 7), (5, 6)]


def test_too_few_entries_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 2 entries, not 1"):
        bracket(1)


@pytest.mark.parametrize("winners", [[], [0], [0, 1, 2], [0, 1, 2, 3, 4, 5]])
def test_a_list_that_is_not_the_winners_of_a_round_is_refused(winners: list[int]) -> None:
    with pytest.raises(ValueError, match=rf"2, 4, 8, 16, \.\.\., not {len(winners)}"):
        next_round(winners)


def test_a_winner_listed_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot win twice"):
        next_round([2, 2])
