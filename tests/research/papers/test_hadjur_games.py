"""Games as arrays, and merged tables."""

from __future__ import annotations

from itertools import islice

from bridge_arena.bots.library.minibridge.games import random_games
from research.papers.hadjur_games import Games, merged


def test_games_are_kept_as_arrays() -> None:
    games = list(islice(random_games(1), 4))
    arrays = Games.of(games)
    assert len(arrays) == 4
    assert arrays.tried == games[-1].number + 1
    assert arrays.states.tolist() == [game.states for game in games]
    assert arrays.legal.tolist() == [game.legal for game in games]
    assert arrays.deals.tolist() == [list(game.deal.hands) for game in games]


def test_merged_values_are_means() -> None:
    one = {1: {5: 1.0, 6: 2.0}, 2: {7: 3.0}}
    two = {1: {5: 3.0}}
    three = {1: {5: 8.0}, 3: {8: 1.0}}
    assert merged([one, two, three]) == {1: {5: 4.0, 6: 2.0}, 2: {7: 3.0}, 3: {8: 1.0}}
    assert one[1][5] == 1.0
