"""Ranks of a ladder: which statements evidence allows, and that they are true."""

from __future__ import annotations

from math import log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.ranks import ALPHA, circles, proved, standing
from bridge_arena.tournaments.statistics.betting import counts_of

Orders = NDArray[np.bool_]


def wealths(size: int, *pairs: tuple[int, int], much: float = 100.0) -> NDArray[np.float64]:
    """Return evidence that the first of each pair is ahead, and none else."""
    wealth = np.zeros((size, size))
    for better, worse in pairs:
        wealth[better, worse] = much
        wealth[worse, better] = -much
    return wealth


def test_nothing_is_proved_without_boards() -> None:
    empty = standing(np.zeros((5, 5, 49), dtype=int))
    assert empty.ranks == [(1, 5)] * 5
    assert empty.open.sum() == 20


def test_boards_prove_who_is_ahead() -> None:
    counts = np.zeros((2, 2, 49), dtype=int)
    counts[0, 1] = counts_of([6, -2, 0, 5] * 50)
    counts[1, 0] = counts[0, 1][::-1]
    assert standing(counts).ranks == [(1, 1), (2, 2)]


def test_who_is_ahead_of_somebody_ahead_is_ahead() -> None:
    ranks = proved(wealths(4, (2, 0), (0, 3))).ranks
    assert ranks == [(2, 3), (1, 4), (1, 2), (3, 4)]


def test_versions_that_beat_each_other_in_a_circle_share_their_ranks() -> None:
    circle = proved(wealths(4, (0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)))
    assert circle.ranks == [(1, 3), (1, 3), (1, 3), (4, 4)]


def test_a_circle_is_shown() -> None:
    wealth = wealths(5, (0, 1), (1, 2), (2, 0), (0, 3), (3, 4))
    assert np.argwhere(circles(wealth)).tolist() == [[0, 1], [1, 2], [2, 0]]
    assert not circles(wealths(3, (0, 1), (1, 2))).any()


def test_a_statement_stays() -> None:
    before = proved(wealths(2, (1, 0))).ahead
    after = proved(np.zeros((3, 3)), before)
    assert after.ranks == [(2, 3), (1, 2), (1, 3)]


def test_a_pair_needs_less_when_fewer_may_be_between() -> None:
    none = proved(np.zeros((4, 4)))
    some = proved(wealths(4, (0, 2), (1, 2)))
    # Of versions 0 and 1, with 2 and 3 possibly between them, nothing changes: 3 came later.
    assert some.needs[0, 1] == none.needs[0, 1]
    # 0 against 3: version 2 is behind 0, so it cannot be between if 0 is not ahead of 3.
    assert some.needs[3, 0] == none.needs[3, 0]
    assert some.needs[0, 3] < none.needs[0, 3]


def orders_of(strengths: list[int]) -> Orders:
    values = np.array(strengths)
    return np.asarray(values[:, None] > values)


STRENGTHS = st.lists(st.integers(0, 6), min_size=2, max_size=12)


@given(STRENGTHS)
def test_true_doubts_have_at_most_all_of_alpha(strengths: list[int]) -> None:
    """Their parts of alpha add up to 1 at most, even when all that is true is known."""
    ahead = orders_of(strengths)
    needs = proved(np.full(ahead.shape, -np.inf), ahead).needs
    doubts = ~ahead & ~np.eye(len(ahead), dtype=bool)
    assert np.exp(-needs[doubts]).sum() <= 0.9 * ALPHA


@given(STRENGTHS)
def test_later_versions_change_nothing_for_the_earlier(strengths: list[int]) -> None:
    ahead = orders_of(strengths)
    less = len(strengths) - 1
    wealth = np.where(ahead, 30.0, -30.0)
    whole, part = proved(wealth), proved(wealth[:less, :less])
    assert (whole.needs[:less, :less] <= part.needs + 1e-9).all()
    assert (whole.ahead == ahead).all()
    for (low, high), strength in zip(whole.ranks, strengths, strict=True):
        assert low == 1 + sum(other > strength for other in strengths)
        assert high == sum(other >= strength for other in strengths)


def test_the_evidence_that_the_first_two_need() -> None:
    """Version 1 has 20 / (20 · 21) of nine tenths of alpha, half of it for each direction."""
    needs = proved(np.zeros((2, 2))).needs
    np.testing.assert_allclose(needs[[0, 1], [1, 0]], log(2 * 21 / (0.9 * ALPHA)))
