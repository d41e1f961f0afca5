"""Points, IMPs and matchpoints, by well-known values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.scoring import contract_score, imps, matchpoints, score_ns
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
