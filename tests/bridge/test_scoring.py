"""Points, IMPs and matchpoints, by well-known values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.scoring import (
    board_a_match,
    butler,
    contract_score,
    cross_imps,
    datum,
    discrete_victory_points,
    imps,
    matchpoints,
    score_ns,
    victory_points,
)
from bridge_arena.bridge.seats import Seat, Vulnerability


def score(contract: str, tricks: int, *, vulnerable: bool) -> int:
    return contract_score(Contract.parse(contract, Seat.NORTH), tricks, vulnerable=vulnerable)


@pytest.mark.parametrize(
    ("contract", "tricks", "not_vulnerable", "vulnerable"),
    [
        # Part scores
        ("1C", 7, 70, 70),
        ("1D", 8, 90, 90),
        ("1H", 7, 80, 80),
        ("2S", 8, 110, 110),
        ("2S", 9, 140, 140),
        ("1NT", 7, 90, 90),
        ("1NT", 9, 150, 150),
        ("2NT", 8, 120, 120),
        ("3C", 9, 110, 110),
        ("4D", 10, 130, 130),
        ("4D", 11, 150, 150),
        # Games
        ("3NT", 9, 400, 600),
        ("3NT", 11, 460, 660),
        ("4H", 10, 420, 620),
        ("4S", 12, 480, 680),
        ("5C", 11, 400, 600),
        ("5D", 12, 420, 620),
        # Slams
        ("6C", 12, 920, 1370),
        ("6S", 12, 980, 1430),
        ("6NT", 12, 990, 1440),
        ("6NT", 13, 1020, 1470),
        ("7D", 13, 1440, 2140),
        ("7H", 13, 1510, 2210),
        ("7NT", 13, 1520, 2220),
        # Doubled: 1C stays a part score, 2S becomes a game
        ("1CX", 7, 140, 140),
        ("1CX", 8, 240, 340),
        ("1NTX", 7, 180, 180),
        ("2DX", 8, 180, 180),
        ("2SX", 8, 470, 670),
        ("2SX", 9, 570, 870),
        ("3NTX", 9, 550, 750),
        ("4SX", 10, 590, 790),
        ("4SX", 13, 890, 1390),
        ("7NTX", 13, 1790, 2490),
        # Redoubled
        ("1CXX", 7, 230, 230),
        ("1CXX", 13, 1430, 2630),
        ("1DXX", 8, 430, 630),
        ("1NTXX", 7, 560, 760),
        ("2CXX", 8, 560, 760),
        ("3NTXX", 9, 800, 1000),
        ("4SXX", 10, 880, 1080),
        ("7NTXX", 13, 2280, 2980),
    ],
)
def test_contracts_that_are_made_have_their_scores(
    contract: str, tricks: int, not_vulnerable: int, vulnerable: int
) -> None:
    assert score(contract, tricks, vulnerable=False) == not_vulnerable
    assert score(contract, tricks, vulnerable=True) == vulnerable


UNDERTRICKS = {
    ("", False): [50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650],
    ("", True): [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300],
    ("X", False): [100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500],
    ("X", True): [200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800],
    ("XX", False): [200, 600, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000],
    ("XX", True): [400, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000, 7600],
}


@pytest.mark.parametrize("bid", ["7C", "7H", "7NT"])
@pytest.mark.parametrize(("risk", "vulnerable"), UNDERTRICKS)
def test_undertricks_have_their_scores(bid: str, risk: str, vulnerable: bool) -> None:  # noqa: FBT001
    scores = [score(bid + risk, tricks, vulnerable=vulnerable) for tricks in range(12, -1, -1)]
    assert scores == [-penalty for penalty in UNDERTRICKS[risk, vulnerable]]


@pytest.mark.parametrize("tricks", [-1, 14])
def test_impossible_tricks_are_refused(tricks: int) -> None:
    with pytest.raises(ValueError, match=f"{tricks} tricks cannot be taken"):
        score("1C", tricks, vulnerable=False)


@pytest.mark.parametrize(
    ("declarer", "vulnerability", "made", "down"),
    [
        (Seat.SOUTH, Vulnerability.NS, 620, -100),
        (Seat.SOUTH, Vulnerability.EW, 420, -50),
        (Seat.WEST, Vulnerability.NS, -420, 50),
        (Seat.WEST, Vulnerability.EW, -620, 100),
        (Seat.NORTH, Vulnerability.ALL, 620, -100),
        (Seat.EAST, Vulnerability.NONE, -420, 50),
    ],
)
def test_the_score_of_north_south_depends_on_the_declarer(
    declarer: Seat, vulnerability: Vulnerability, made: int, down: int
) -> None:
    contract = Contract.parse("4S", declarer)
    assert score_ns(contract, 10, vulnerability) == made
    assert score_ns(contract, 9, vulnerability) == down


def test_a_passed_out_board_scores_zero() -> None:
    assert score_ns(None, None, Vulnerability.ALL) == 0


def test_a_contract_without_tricks_has_no_score() -> None:
    with pytest.raises(ValueError, match="4S by N has no result"):
        score_ns(Contract.parse("4S", Seat.NORTH), None, Vulnerability.ALL)


IMP_SCALE = [  # Law 78B
    (0, 10),
    (20, 40),
    (50, 80),
    (90, 120),
    (130, 160),
    (170, 210),
    (220, 260),
    (270, 310),
    (320, 360),
    (370, 420),
    (430, 490),
    (500, 590),
    (600, 740),
    (750, 890),
    (900, 1090),
    (1100, 1290),
    (1300, 1490),
    (1500, 1740),
    (1750, 1990),
    (2000, 2240),
    (2250, 2490),
    (2500, 2990),
    (3000, 3490),
    (3500, 3990),
    (4000, 15200),
]


@pytest.mark.parametrize(("size", "limits"), list(enumerate(IMP_SCALE)))
def test_the_imp_scale_has_its_limits(size: int, limits: tuple[int, int]) -> None:
    for points in limits:
        assert imps(points) == size
        assert imps(-points) == -size


@given(st.integers(-20_000, 20_000), st.integers(-20_000, 20_000))
def test_imps_are_monotone_and_antisymmetric(one: int, other: int) -> None:
    assert imps(-one) == -imps(one)
    assert one > other or imps(one) <= imps(other)


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ([], []),
        ([420], [0]),
        ([620, 420], [2, 0]),
        ([50, 50], [1, 1]),
        ([420, 450, 420, -50], [3, 6, 3, 0]),
        ([0, 0, 0, 0, 0], [4, 4, 4, 4, 4]),
    ],
)
def test_matchpoints_count_the_scores_that_are_beaten(scores: list[int], points: list[int]) -> None:
    assert matchpoints(scores) == points


@given(st.lists(st.integers(-10, 10)))
def test_matchpoints_share_out_two_for_each_pair_of_scores(scores: list[int]) -> None:
    points = matchpoints(scores)
    assert sum(points) == len(scores) * (len(scores) - 1)
    ranking = sorted(zip(scores, points, strict=True))
    assert [point for _, point in ranking] == sorted(points)
    mirrored = matchpoints([-score for score in scores])
    top = 2 * (len(scores) - 1)
    assert mirrored == [top - point for point in points]


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
