"""Victory points, by the tables that are printed."""

from collections.abc import Callable
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.victory_points import discrete_victory_points, victory_points


@pytest.mark.parametrize(
    ("boards", "margin", "winner"),
    [
        (16, 0, 10.00),
        (16, 1, 10.31),
        (16, 2, 10.61),
        (16, 10, 12.80),
        (16, 20, 15.00),
        (16, 13, 13.52),
        (16, 14, 13.75),  # the curve is at 13.74, the next step would be larger
        (16, 15, 13.97),
        (16, 58, 19.85),
        (16, 59, 19.93),  # 19.92
        (16, 60, 20.00),
        (16, 200, 20.00),
        (20, 1, 10.28),
        (20, 2, 10.55),
        (20, 13, 13.20),  # 13.19
        (20, 67, 19.99),
        (20, 68, 20.00),
        (1, 15, 20.00),
    ],
)
def test_margins_have_their_victory_points(boards: int, margin: int, winner: float) -> None:
    loser = round(20 - winner, 2)
    assert victory_points(margin, boards) == (winner, loser)
    assert victory_points(-margin, boards) == (loser, winner)


@given(st.integers(1, 200), st.integers(-300, 300))
def test_victory_points_sum_to_20_and_grow_with_the_margin(boards: int, margin: int) -> None:
    own, theirs = victory_points(margin, boards)
    assert round(own + theirs, 2) == 20
    assert 0 <= own <= 20
    assert victory_points(margin + 1, boards)[0] >= own
    assert (own > 10) == (margin > 0)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 128))
def test_no_imp_earns_more_victory_points_than_the_one_before(boards: int) -> None:
    hundredths = [round(100 * victory_points(margin, boards)[0]) for margin in range(200)]
    steps = [after - before for before, after in pairwise(hundredths)]
    assert steps == sorted(steps, reverse=True)


@settings(deadline=None)
@given(st.integers(1, 2000), st.integers(0, 700))
def test_victory_points_keep_to_the_curve(boards: int, margin: int) -> None:
    blitz = 15 * sqrt(boards)
    decay = ((sqrt(5) - 1) / 2) ** 3
    curve = 10 + 10 * (1 - decay ** min(1, margin / blitz)) / (1 - decay)
    # Rounding by half a hundredth; evening out raises long matches by a few hundredths.
    assert -0.0051 < victory_points(margin, boards)[0] - curve < 0.06


def test_a_margin_between_two_lies_between_their_victory_points() -> None:
    assert victory_points(0.5, 16) == (10.16, 9.84)  # 10.00 and 10.31
    assert victory_points(-58.5, 16) == (0.11, 19.89)  # 19.85 and 19.93
    assert victory_points(60.5, 16) == (20, 0)


FIRST_MARGINS = {
    # Of 10, 11 ... 20 VPs; English Bridge Union, White Book, 3.1.1.
    5: [0, 1, 3, 5, 7, 10, 13, 16, 20, 25, 31],
    6: [0, 1, 3, 5, 8, 11, 14, 18, 22, 27, 33],
    7: [0, 1, 3, 6, 9, 12, 15, 19, 24, 29, 36],
    8: [0, 1, 4, 7, 10, 13, 17, 21, 26, 31, 39],
    9: [0, 1, 4, 7, 10, 13, 17, 22, 27, 33, 41],
    10: [0, 1, 4, 7, 10, 14, 18, 23, 28, 35, 43],
    12: [0, 2, 5, 8, 12, 16, 20, 25, 31, 38, 47],
    14: [0, 2, 5, 9, 13, 17, 22, 27, 34, 41, 51],
    16: [0, 2, 5, 9, 13, 18, 23, 29, 36, 44, 54],
    20: [0, 2, 6, 10, 15, 20, 26, 32, 40, 49, 61],
    24: [0, 2, 6, 11, 16, 22, 28, 35, 44, 54, 66],
    28: [0, 2, 7, 12, 18, 24, 30, 38, 47, 58, 72],
    32: [0, 3, 8, 13, 19, 25, 33, 41, 51, 62, 77],
    40: [0, 3, 8, 14, 21, 28, 36, 46, 56, 69, 86],
    48: [0, 3, 9, 16, 23, 31, 40, 50, 62, 76, 94],
    64: [0, 4, 11, 18, 26, 36, 46, 58, 71, 88, 108],
}


@pytest.mark.parametrize("boards", FIRST_MARGINS)
def test_margins_have_their_discrete_victory_points(boards: int) -> None:
    for vp, (first, after) in enumerate(pairwise([*FIRST_MARGINS[boards], 300]), start=10):
        for margin in (first, after - 1):
            assert discrete_victory_points(margin, boards) == (vp, 20 - vp)
            assert discrete_victory_points(-margin, boards) == (20 - vp, vp)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 1000))
def test_no_discrete_victory_point_needs_less_imps_than_the_one_before(boards: int) -> None:
    vps = [discrete_victory_points(margin, boards)[0] for margin in range(-500, 501)]
    assert vps == sorted(vps)
    widths = [vps.count(vp) for vp in range(10, 20)]
    assert widths == sorted(widths)


@pytest.mark.parametrize("scale", [victory_points, discrete_victory_points])
def test_no_victory_points_without_boards(
    scale: Callable[[int, int], tuple[float, float]],
) -> None:
    with pytest.raises(ValueError, match="0 boards has no victory points"):
        scale(1, 0)
