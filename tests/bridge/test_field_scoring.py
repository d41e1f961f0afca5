"""Cross-IMPs, Butler and board-a-match, by hand and by what must hold."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.field_scoring import board_a_match, butler, cross_imps, datum

SCORES = st.lists(st.integers(-300, 300).map(lambda tens: 10 * tens), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([], []),
        ([420], [0]),
        ([420, -50], [10, -10]),
        # 620 - 420 is 5 IMPs, 620 - -100 is 12, 420 - -100 is 11.
        ([620, 420, -100], [Fraction(17, 2), 3, Fraction(-23, 2)]),
        ([140, 140, 110, 140], [Fraction(1, 3), Fraction(1, 3), -1, Fraction(1, 3)]),
    ],
)
def test_cross_imps_are_means_over_the_other_tables(
    scores: list[int], expected: list[Fraction]
) -> None:
    assert cross_imps(scores) == expected


@given(SCORES)
def test_cross_imps_add_up_to_nothing_and_rank_as_the_scores_do(scores: list[int]) -> None:
    points = cross_imps(scores)
    assert sum(points) == 0
    assert [point for _, point in sorted(zip(scores, points, strict=True))] == sorted(points)
    assert cross_imps([-score for score in scores]) == [-point for point in points]


@pytest.mark.parametrize(
    ("scores", "trim", "expected"),
    [
        ([420], 0.1, 420),
        ([420, 450], 0.1, 440),  # 435
        ([-420, -450], 0.1, -440),
        ([420, 420, 450], 0.1, 430),
        ([10, 0, 0], 0.1, 0),
        # Nine scores keep all, the tenth leaves out the highest and the lowest.
        ([*[100] * 8, 1000], 0.1, 200),
        ([*[100] * 8, 1000, -500], 0.1, 100),
        ([*[100] * 8, 1000, 1000], 0.1, 210),
        ([*[100] * 8, 1000], 0.0, 200),
        ([*[100] * 4, 1000], 0.2, 100),
        ([0, 30, 90, 1000], 0.25, 60),
        ([*[0] * 70, *[1000] * 30], 0.29, 20),  # 29 of 100 at each end: one of 42 is left
    ],
)
def test_the_datum_is_the_trimmed_mean(scores: list[int], trim: float, expected: int) -> None:
    assert datum(scores, trim) == expected


@given(SCORES, st.floats(0, 0.49))
def test_the_datum_is_a_multiple_of_ten_among_the_scores(scores: list[int], trim: float) -> None:
    value = datum(scores, trim)
    assert value % 10 == 0
    assert min(scores) <= value <= max(scores)
    assert datum([-score for score in scores], trim) == -value


@pytest.mark.parametrize("trim", [-0.1, 0.5, float("nan")])
def test_a_datum_leaves_out_less_than_all(trim: float) -> None:
    with pytest.raises(ValueError, match="cannot be left out at each end"):
        datum([0, 10], trim)


def test_no_datum_without_scores() -> None:
    with pytest.raises(ValueError, match="a datum needs a score"):
        butler([])


def test_butler_scores_are_imps_against_the_datum() -> None:
    scores = [620, 420, 200, -240]
    assert datum(scores) == 250
    assert butler(scores) == [9, 5, -2, -10]
    assert butler([-score for score in scores]) == [-9, -5, 2, 10]


@pytest.mark.parametrize(
    ("difference", "won"), [(10, 1), (0, Fraction(1, 2)), (-10, 0), (2220, 1), (-2220, 0)]
)
def test_a_difference_wins_ties_or_loses_at_board_a_match(difference: int, won: Fraction) -> None:
    assert board_a_match(difference) == won
