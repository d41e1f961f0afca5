"""Ranks of a ladder: which statements evidence allows, and that they are true."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.strength.ranks import ALPHA, circles, proved
from bridge_arena.tournaments.statistics.betting import SWINGS, counts_of, evidence


def wealths(size: int, *pairs: tuple[int, int], much: float = 100.0) -> NDArray[np.float64]:
    """Return evidence that the first of each pair is ahead, and none else."""
    wealth = np.zeros((size, size))
    for better, worse in pairs:
        wealth[better, worse] = much
        wealth[worse, better] = -much
    return wealth


def test_nothing_is_proved_without_boards() -> None:
    empty = proved(evidence(np.zeros((5, 5, 49), dtype=int)))
    assert empty.ranks == [(1, 5)] * 5
    assert empty.open.sum() == 20


def test_boards_prove_who_is_ahead() -> None:
    counts = np.zeros((2, 2, 49), dtype=int)
    counts[0, 1] = counts_of([6, -2, 0, 5] * 50)
    counts[1, 0] = counts[0, 1][::-1]
    assert proved(evidence(counts)).ranks == [(1, 1), (2, 2)]


def test_who_is_ahead_of_somebody_ahead_is_ahead() -> None:
    ranks = proved(wealths(4, (2, 0), (0, 3))).ranks
    assert ranks == [(2, 3), (1, 4), (1, 2), (3, 4)]


def test_versions_that_beat_each_other_in_a_circle_share_their_ranks() -> None:
    circle = proved(wealths(4, (0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)))
    assert circle.ranks == [(1, 3), (1, 3), (1, 3), (4, 4)]


def test_a_circle_is_known() -> None:
    circle = proved(wealths(5, (0, 1), (1, 2), (2, 0), (0, 3), (3, 4)))
    assert np.flatnonzero(circles(circle.known).any(axis=0)).tolist() == [0, 1, 2]
    assert not circle.open[:3].any()
    assert not circles(proved(wealths(3, (0, 1), (1, 2))).known).any()


def test_a_circle_stays_when_the_evidence_of_a_win_falls() -> None:
    circle = proved(wealths(3, (0, 1), (1, 2), (2, 0)))
    later = proved(wealths(3, (0, 1), (1, 2)), circle.known)
    assert later.ranks == [(1, 3)] * 3


def test_a_statement_stays() -> None:
    before = proved(wealths(2, (1, 0))).ahead
    after = proved(np.zeros((3, 3)), before)
    assert after.ranks == [(2, 3), (1, 2), (1, 3)]


def test_all_that_could_be_said_shares_alpha() -> None:
    """However many arrive; a tenth is for versions that have not met."""
    shares = [np.exp(-proved(np.zeros((size, size))).needs).sum() for size in (2, 21, 1000)]
    assert shares == sorted(shares)
    assert shares[1] == pytest.approx(0.9 * ALPHA / 2)
    assert 0.97 * 0.9 * ALPHA < shares[2] < 0.9 * ALPHA


@given(st.lists(st.integers(0, 6), min_size=2, max_size=12))
def test_ranks_are_those_of_the_strengths_once_all_is_proved(strengths: list[int]) -> None:
    values = np.array(strengths)
    whole = proved(np.where(values[:, None] > values, 30.0, -30.0))
    for (best, worst), strength in zip(whole.ranks, strengths, strict=True):
        assert best == 1 + sum(other > strength for other in strengths)
        assert worst == sum(other >= strength for other in strengths)


def test_later_versions_change_nothing_for_the_earlier() -> None:
    needs = proved(np.zeros((9, 9))).needs
    assert (needs[:5, :5] == proved(np.zeros((5, 5))).needs).all()


def test_the_evidence_that_the_first_two_need() -> None:
    """The second to arrive has 1 / 21 of nine tenths of alpha, half of it for each direction."""
    needs = proved(np.zeros((2, 2))).needs
    np.testing.assert_allclose(needs[[0, 1], [1, 0]], log(2 * 21 / (0.9 * ALPHA)))


def test_pairing_for_false_statements_makes_hardly_any() -> None:
    """40 ladders of equals, where those who are nearest to a false statement go on: 5 % allowed."""
    rng = np.random.default_rng(9)
    chances = np.exp(-(SWINGS**2) / 50)
    wrong = 0
    for _ in range(40):
        counts = np.zeros((4, 4, 49), dtype=int)
        standing = proved(np.zeros((4, 4)))
        for match in range(150):
            near = np.where(rng.random((4, 4)) < 0.1, 99.0, standing.evidence - standing.needs)
            np.fill_diagonal(near, -np.inf)
            one, other = divmod(int(near.argmax()), 4)
            swings = rng.multinomial(8 if match % 2 else 16, chances / chances.sum())
            counts[one, other] += swings
            counts[other, one] += swings[::-1]
            standing = proved(evidence(counts), standing.ahead)
        wrong += bool(standing.ahead.any())
    assert wrong <= 4
