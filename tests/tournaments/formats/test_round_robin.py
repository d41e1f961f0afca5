"""The round robin against the published Berger tables, and in general."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from bridge_arena.tournaments.formats.pairings import round_robin

# FIDE Handbook C.05, annex 1; players from 1, the first of a pair has white.
BERGER = {
    4: """1-4 2-3
          4-3 1-2
          2-4 3-1""",
    6: """1-6 2-5 3-4
          6-4 5-3 1-2
          2-6 3-1 4-5
          6-5 1-4 2-3
          3-6 4-2 5-1""",
    8: """1-8 2-7 3-6 4-5
          8-5 6-4 7-3 1-2
          2-8 3-1 4-7 5-6
          8-6 7-5 1-4 2-3
          3-8 4-2 5-1 6-7
          8-7 1-6 2-5 3-4
          4-8 5-3 6-2 7-1""",
    10: """1-10 2-9 3-8 4-7 5-6
           10-6 7-5 8-4 9-3 1-2
           2-10 3-1 4-9 5-8 6-7
           10-7 8-6 9-5 1-4 2-3
           3-10 4-2 5-1 6-9 7-8
           10-8 9-7 1-6 2-5 3-4
           4-10 5-3 6-2 7-1 8-9
           10-9 1-8 2-7 3-6 4-5
           5-10 6-4 7-3 8-2 9-1""",
}


def published(places: int) -> list[list[tuple[int, int]]]:
    return [
        [(int(white) - 1, int(black) - 1) for white, black in (p.split("-") for p in row.split())]
        for row in BERGER[places].splitlines()
    ]


@pytest.mark.parametrize("places", BERGER)
def test_even_numbers_have_the_published_tables(places: int) -> None:
    assert round_robin(places) == published(places)


@pytest.mark.parametrize("places", BERGER)
def test_odd_numbers_have_the_published_tables_without_the_last_entry(places: int) -> None:
    assert round_robin(places - 1) == [
        [pair for pair in row if places - 1 not in pair] for row in published(places)
    ]


@pytest.mark.parametrize("entries", range(2, 41))
def test_all_entries_play_all_others_once(entries: int) -> None:
    rounds = round_robin(entries)
    assert len(rounds) == entries - 1 + entries % 2
    met = Counter(frozenset(pair) for row in rounds for pair in row)
    assert met == Counter(map(frozenset, combinations(range(entries), 2)))
    for row in rounds:
        playing = [entry for pair in row for entry in pair]
        assert len(set(playing)) == len(playing) == entries - entries % 2


@pytest.mark.parametrize("entries", range(2, 41))
def test_home_and_visitors_are_balanced(entries: int) -> None:
    pairs = [pair for row in round_robin(entries) for pair in row]
    home = Counter(pair[0] for pair in pairs)
    visiting = Counter(pair[1] for pair in pairs)
    assert {abs(home[entry] - visiting[entry]) for entry in range(entries)} == {1 - entries % 2}


@pytest.mark.parametrize("entries", [-1, 0, 1])
def test_too_few_entries_are_refused(entries: int) -> None:
    with pytest.raises(ValueError, match=f"at least 2 entries, not {entries}"):
        round_robin(entries)
