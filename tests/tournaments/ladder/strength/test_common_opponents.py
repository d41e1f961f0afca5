"""Versions that have not met: against a search over all strengths, and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.strength.common_opponents import curves, through_others
from bridge_arena.tournaments.ladder.strength.ranks import Orders, proved, through_common_opponents
from bridge_arena.tournaments.statistics.betting import SWINGS, evidence

Counts = NDArray[np.int_]


def counts(size: int, boards: dict[tuple[int, int], Counts]) -> Counts:
    table = np.zeros((size, size, 49), dtype=int)
    for (one, other), swings in boards.items():
        table[one, other] += swings
        table[other, one] += swings[::-1]
    return table


def drawn(mean: float, boards: int, rng: np.random.Generator) -> Counts:
    chances = np.exp(-((SWINGS - mean) ** 2) / 50)
    return np.asarray(rng.multinomial(boards, chances / chances.sum()))


def ahead(met: Counts) -> Orders:
    """Who is surely ahead of whom."""
    alone = proved(evidence(met))
    return through_common_opponents(alone, np.asarray(met.any(axis=-1)), curves(met)).ahead


def test_the_wealth_is_the_least_over_all_strengths_of_the_opponent() -> None:
    rng = np.random.default_rng(3)
    for gain in (-1.0, 0.0, 2.0):
        strong, weak = drawn(gain + 1, 300, rng), drawn(gain - 1, 200, rng)
        both = counts(3, {(1, 0): strong, (2, 0): weak})
        wealth = through_others(curves(both), np.array([[1, 2], [2, 1]]))
        means = np.linspace(-10, 10, 401)
        for of_pair, one, other in ((wealth[0], strong, weak), (wealth[1], weak, strong)):
            least = min(float(evidence(one, mean) + evidence(other[::-1], -mean)) for mean in means)
            # The first to arrive is the only common opponent, and the other two are the pair.
            parts = np.array([np.logaddexp(0, least) - np.log(2)] * 3)
            expected = np.logaddexp.reduce(parts - np.log([2, 6, 12]))
            assert of_pair <= expected + 1e-6
            assert of_pair == pytest.approx(expected, abs=0.5)


def test_versions_that_never_meet_are_told_apart() -> None:
    """Both meet three anchors that are as strong as they are on average."""
    rng = np.random.default_rng(5)
    meetings = {(3, anchor): drawn(1, 600, rng) for anchor in range(3)}
    meetings |= {(4, anchor): drawn(-1, 400, rng) for anchor in range(3)}
    met = counts(5, meetings)
    met[3, :3], met[4, :3] = met[3, [0]], met[4, [0]]
    assert ahead(met)[3, 4]


def test_equal_versions_are_seldom_told_apart() -> None:
    """60 pairs of equals, with looks after every 50 boards: 20 % may reach a wealth of 5."""
    rng = np.random.default_rng(6)
    reached = 0
    for _ in range(60):
        met = counts(4, {})
        most = -np.inf
        for look in range(6):
            # Who has been lucky so far goes on, the other rests.
            lucky = 2 + (look % 2 if look < 2 else int(met[2] @ SWINGS @ [1, 1, 0, 0] < 0))
            for anchor, mean in ((0, 1.0), (1, -2.0)):
                swings = drawn(mean, 25, rng)
                met[lucky, anchor] += swings
                met[anchor, lucky] += swings[::-1]
            most = max(most, float(through_others(curves(met), np.array([[2, 3]]))[0]))
        reached += most >= np.log(5)
    assert reached <= 12


def test_opponents_of_one_of_them_alone_prove_nothing() -> None:
    rng = np.random.default_rng(7)
    met = counts(4, {(2, 0): drawn(4, 500, rng), (3, 1): drawn(-4, 500, rng)})
    assert float(through_others(curves(met), np.array([[2, 3]]))[0]) < 0


def test_only_versions_that_have_played_are_looked_at_again() -> None:
    rng = np.random.default_rng(8)
    met = counts(4, {(2, 0): drawn(-1, 900, rng), (3, 0): drawn(-7, 900, rng)})
    alone = proved(evidence(met))
    assert alone.open[2, 3]
    against = curves(met)
    for changed, known in (([1], False), ([0, 3], True), (None, True)):
        looked = through_common_opponents(alone, met.sum(axis=-1) > 0, against, changed)
        assert looked.ahead[2, 3] == known


def test_versions_that_have_met_are_compared_by_their_own_boards() -> None:
    rng = np.random.default_rng(8)
    boards = {(2, 0): drawn(-1, 900, rng), (3, 0): drawn(-7, 900, rng), (2, 3): drawn(-1, 8, rng)}
    met = counts(4, boards)
    assert not ahead(met)[2, 3]
