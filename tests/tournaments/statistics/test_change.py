"""Evidence of a change: bets are fair, and tell a program that has changed from a random one."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from bridge_arena.tournaments.statistics.change import Play, stake

BOARDS = 16

LIMIT = 1000 * 12
"""The stake at which a third check tells of a change."""


def plays_of(seed: int, boards: int = BOARDS) -> list[Play | None]:
    """What a program plays that draws each of 40 actions on each board."""
    rng = Random(seed)
    return [tuple(f"{rng.randrange(3)}" for _ in range(40)) for _ in range(boards)]


@pytest.mark.parametrize("size", [3, 4, 5])
def test_bets_are_fair(size: int) -> None:
    """Over all orders of the same plays a stake of 1 is worth 1, whatever was played."""
    rng = Random(size)
    for _ in range(20):
        plays = [[tuple(rng.choice("ab") for _ in range(4))] for _ in range(size)]
        worth = [stake(order) for order in permutations(plays)]
        assert sum(worth) / len(worth) == pytest.approx(1)


def test_the_same_play_again_says_nothing() -> None:
    assert stake([plays_of(1)] * 10) == 1
    assert stake([plays_of(1)]) == stake([plays_of(1), plays_of(2)]) == 1


def test_a_program_that_has_changed_is_soon_known() -> None:
    old, new = plays_of(1), plays_of(2)
    assert stake([old, old, new]) > LIMIT
    # It plays otherwise on a third of the boards only.
    half = new[:5] + old[5:]
    assert stake([old, old, half]) < LIMIT
    assert stake([*[old] * 5, half, half]) > 1000 * 56


def test_who_plays_by_chance_is_not_accused() -> None:
    for seed in range(50):
        plays = [plays_of(1000 * seed + number) for number in range(8)]
        for times in range(3, 9):
            assert stake(plays[:times]) < LIMIT


def test_who_plays_by_chance_at_times_is_not_accused() -> None:
    """On a third of the boards an action late in the play is drawn."""
    rng, old = Random(1), plays_of(1)

    def play() -> list[Play | None]:
        return [
            (*board[:30], f"{rng.randrange(2)}", *board[31:])
            if board is not None and rng.random() < 1 / 3
            else board
            for board in old
        ]

    for _ in range(50):
        assert stake([play() for _ in range(6)]) < LIMIT


def test_boards_that_were_not_played_to_their_end_are_left_out() -> None:
    old, new = plays_of(1), plays_of(2)
    lost: list[Play | None] = [None] * BOARDS
    assert stake([old, lost, old, new]) > LIMIT
    assert stake([old, lost, lost, new]) == 1
