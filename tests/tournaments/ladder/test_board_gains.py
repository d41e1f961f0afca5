"""Tests of which boards a player gained and lost most on."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.tournaments.ladder.board_gains import best_and_costliest, imps_of
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.store.played_boards import NONE


def match(number: int, home: int, visitors: int, *swings: int) -> EndedMatch:
    imps = sum(swing for swing in swings if swing != NONE)
    stored = np.array(swings, np.int8).tobytes()
    return EndedMatch(number, (home, visitors), len(swings), imps, "2026-11-29", stored)


MATCHES = [match(5, 1, 2, 4, NONE, -24), match(3, 2, 1), match(2, 3, 1, -4, 12, 0)]


def test_boards_are_seen_from_the_player_on_either_side() -> None:
    best, costliest = best_and_costliest(MATCHES, [1], 10)
    assert [(one.imps, one.match.number, one.board, one.opponent) for one in best] == [
        (4, 5, 1, 2),
        (4, 2, 1, 3),
    ]
    assert [(one.imps, one.match.number, one.board, one.opponent) for one in costliest] == [
        (-24, 5, 3, 2),
        (-12, 2, 2, 3),
    ]
    other, its_costliest = best_and_costliest(MATCHES[:2], [2], 10)
    assert [(one.imps, one.opponent) for one in other] == [(24, 1)]
    assert [(one.imps, one.opponent) for one in its_costliest] == [(-4, 1)]


def test_no_more_boards_are_told_of_than_wanted() -> None:
    best, costliest = best_and_costliest(MATCHES, [1], 1)
    assert [one.match.number for one in best + costliest] == [5, 5]


@pytest.mark.parametrize("matches", [[], [match(1, 1, 2)], [match(1, 1, 2, NONE, 0)]])
def test_there_may_be_no_such_board(matches: list[EndedMatch]) -> None:
    assert best_and_costliest(matches, [1], 10) == ([], [])


def test_the_imps_of_a_match_are_seen_from_either_side() -> None:
    assert imps_of(MATCHES[2], [1]) == -8
    assert imps_of(MATCHES[2], [3]) == 8
