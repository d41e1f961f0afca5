"""The simulation of ladders: its swings, its ways of pairing, and what it counts as wrong."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.ladder import (
    FLAT,
    Kind,
    Ladder,
    Way,
    boards_needed,
    chances_of,
    proof,
    proof_table,
    round_robin,
    share,
    trial,
)
from bridge_arena.tournaments.ladder.strength.sequential_tests import Outcome
from bridge_arena.tournaments.statistics.betting import SWINGS
from bridge_arena.tournaments.statistics.sequential import Sprt


def test_swings_have_the_difference_of_strengths_as_their_mean() -> None:
    strengths = np.array([0.0, 0.5, -3.0, 0.0])
    chances = chances_of(strengths, 0.36)
    assert np.allclose(chances.sum(axis=-1), 1)
    assert np.allclose(chances @ SWINGS, strengths[:, None] - strengths)
    assert (chances[0, 3] == chances[0, 3][::-1]).all()


def test_a_round_robin_of_unequal_versions_tells_them_apart() -> None:
    strengths = np.array([0.0, 4.0, 2.0, 2.0])
    ahead = round_robin(strengths, FLAT[0], 12_000, np.random.default_rng(1))
    assert share(ahead, strengths[:, None] > strengths) == 1
    assert not ahead[2, 3]


def test_a_ladder_learns_what_is_true() -> None:
    rng = np.random.default_rng(2)
    strengths = np.array([0.0, 3.0, 6.0, 3.0])
    ladder = Ladder(strengths, FLAT[0], rng, first=3)
    for boards in range(200):
        if boards == 50:
            ladder.arrive(4)
        there = np.ones(ladder.size, dtype=bool)
        ladder.play(ladder.pairs(there, np.ones((4, 4))))
    assert ladder.played == 200 * 16
    assert (ladder.standing.ahead == ladder.truth).all()


@pytest.mark.parametrize("way", Way)
def test_each_way_of_pairing_comes_to_an_end(way: Way) -> None:
    assert boards_needed("16, 0.5 to 2 IMPs apart", way, 1, most=6_000) >= 6_000


def test_a_simulated_ladder_is_the_same_again() -> None:
    results = [proof(number, 1500) for number in (5, 5)]
    assert results[0] == results[1]
    assert results[0]["kind"] == Kind.CLOSE
    assert not results[0]["wrong"]
    told = proof_table(results, 1500)
    assert told.count("\n") == 3
    assert "| neighbours 0 to 1 IMP apart | 2 | 0 | " in told


def test_tests_between_the_others_are_seldom_wrong() -> None:
    sprt = Sprt(0, 2)
    verdicts = {
        mean: [trial(number, sprt, mean)["verdict"] for number in range(60)] for mean in (0.0, 2.0)
    }
    # At most 5 % are promised; more than 8 of 60 would be chance once in 500.
    assert verdicts[0.0].count(Outcome.H1) <= 8
    assert verdicts[2.0].count(Outcome.H0) <= 8
    assert trial(3, sprt, 0.0) == trial(3, sprt, 0.0)
