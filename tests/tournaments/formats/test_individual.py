"""Individual movements are whist tournaments."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from bridge_arena.tournaments.formats.movements import NUMBERS, individual

EVEN = [players for players in NUMBERS if players % 4 == 0]
ODD = [players for players in NUMBERS if players % 4 == 1]


def test_an_individual_is_for_these_numbers_of_players() -> None:
    assert sorted(EVEN + ODD) == NUMBERS
    # Of four at a table nobody, or one, sits out: none of these with two tables is missing.
    assert [players for players in range(8, 42) if players % 4 < 2] == NUMBERS


@pytest.mark.parametrize("players", NUMBERS)
def test_everyone_partners_each_other_once_and_opposes_each_twice(players: int) -> None:
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for fours in individual(players):
        for four in fours:
            north, east, south, west = four.entries
            partners.update([frozenset((north, south)), frozenset((east, west))])
            opponents.update(frozenset((a, b)) for a in (north, south) for b in (east, west))
    everyone = list(map(frozenset, combinations(range(players), 2)))
    assert partners == dict.fromkeys(everyone, 1)
    assert opponents == dict.fromkeys(everyone, 2)


@pytest.mark.parametrize("players", NUMBERS)
def test_each_round_seats_everybody_but_the_one_that_sits_out(players: int) -> None:
    movement = individual(players)
    assert len(movement) == (players if players % 4 else players - 1)
    for number, fours in enumerate(movement):
        assert [four.table for four in fours] == list(range(1, players // 4 + 1))
        assert {four.boards for four in fours} == {number}
        seated = sorted(player for four in fours for player in four.entries)
        sits_out = [number] if players % 4 else []
        assert seated == [player for player in range(players) if player not in sits_out]


def seats_taken(players: int) -> dict[int, list[int]]:
    """Return how often each player is North, East, South and West."""
    taken = Counter(
        (player, seat)
        for fours in individual(players)
        for four in fours
        for seat, player in enumerate(four.entries)
    )
    return {player: [taken[player, seat] for seat in range(4)] for player in range(players)}


@pytest.mark.parametrize("players", ODD)
def test_seats_are_balanced(players: int) -> None:
    assert seats_taken(players) == dict.fromkeys(range(players), [players // 4] * 4)


@pytest.mark.parametrize("players", EVEN)
def test_seats_are_balanced_but_for_the_one_that_stays(players: int) -> None:
    often = players // 4
    expected = {player: [often - 1, often, often, often] for player in range(players - 1)}
    assert seats_taken(players) == {**expected, players - 1: [players - 1, 0, 0, 0]}


@pytest.mark.parametrize("players", [-4, 0, 1, 4, 5, 6, 7, 10, 44, 45])
def test_impossible_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(ValueError, match=rf"takes 8, 9, .* 41 entries, not {players}"):
        individual(players)
