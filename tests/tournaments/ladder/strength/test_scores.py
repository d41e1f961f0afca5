"""Tests of ratings and orders: those of sums are those of all boards one by one."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from bridge_arena.tournaments.ladder.strength.scores import Margin, Scores
from bridge_arena.tournaments.ladder.strength.sums import MOST_IMPS, Pair, PairSums
from bridge_arena.tournaments.statistics.betting import counts_of, interval
from bridge_arena.tournaments.statistics.ratings import Observation, rate

STRENGTHS = 0.0, 3.0, -2.0, 1.0


def match(rng: Random, pair: Pair, boards: int) -> list[int]:
    margin = STRENGTHS[pair[0] - 1] - STRENGTHS[pair[1] - 1]
    return [max(-MOST_IMPS, min(MOST_IMPS, round(rng.gauss(margin, 5)))) for _ in range(boards)]


def sums_of(swings: list[int], left: tuple[int, int] = (0, 0)) -> PairSums:
    counts = tuple(np.bincount(np.array(swings) + MOST_IMPS, minlength=2 * MOST_IMPS + 1).tolist())
    return PairSums(counts, 1, 1, 10.0, left)


def test_ratings_are_those_of_all_boards() -> None:
    rng = Random(1)
    scores = Scores(4, {})
    observations: list[Observation] = []
    for pair in list(combinations(range(1, 5), 2))[:-1]:
        swings = match(rng, pair, 40)
        scores.add(pair, sums_of(swings))
        for swing in swings:
            names = (str(pair[0]), str(pair[1]))
            observations.append(Observation(*names, len(observations), swing))
    (field,) = rate(observations)
    for version, rating in enumerate(scores.ratings(1), start=1):
        assert rating is not None
        if version == 1:
            assert (rating.value, rating.error) == (0, None)
            continue
        assert rating.value == pytest.approx(field.difference(str(version), "1").value)
        # Robust errors, and those of equal variances, differ by chance alone.
        interval = field.difference(str(version), "1").interval
        assert interval is not None
        assert rating.error == pytest.approx((interval[1] - interval[0]) / 2, rel=0.2)


def test_the_margin_of_two_has_the_interval_of_their_boards() -> None:
    swings = match(Random(3), (2, 1), 60)
    scores = Scores(3, {(1, 2): sums_of([-swing for swing in swings])})
    margin, turned = scores.margin(2, 1), scores.margin(1, 2)
    assert margin.boards == 60
    assert margin.mean == pytest.approx(np.mean(swings))
    assert margin.interval == interval(counts_of(swings), 0.05)
    assert turned.interval == pytest.approx((-margin.interval[1], -margin.interval[0]))
    ends = [abs(end - margin.mean) for end in margin.interval]
    assert margin.error == pytest.approx(max(ends))
    assert scores.margin(1, 3) == Margin(0, (-MOST_IMPS, MOST_IMPS), 0)


def test_who_is_not_connected_with_the_anchor_has_no_rating() -> None:
    scores = Scores(4, {(1, 2): sums_of([3, 4, 5]), (3, 4): sums_of([1, 2, 3])})
    assert [rating is None for rating in scores.ratings(1)] == [False, False, True, True]
    assert [rating is None for rating in scores.ratings(3)] == [True, True, False, False]


def test_scores_go_on_as_if_they_had_never_been_read_anew() -> None:
    rng = Random(2)
    scores = Scores(3, {})
    sums: dict[Pair, PairSums] = {}
    orders: set[Pair] = set()
    for number in range(60):
        if number == 20:
            scores.extend(4)
        first, second = sorted(rng.sample(range(1, scores.versions + 1), 2))
        made = sums_of(match(rng, (first, second), 8), (1, 0))
        sums[first, second] = sums.get((first, second), PairSums()) + made
        orders |= set(scores.add((first, second), made))
    anew = Scores(4, sums, orders)
    np.testing.assert_array_equal(anew.ahead, scores.ahead)
    np.testing.assert_allclose(anew.standing().evidence, scores.standing().evidence)
    assert (2, 3) in orders
    assert (3, 2) not in orders
    for version in range(1, 5):
        assert anew.figures(version) == scores.figures(version)
    assert scores.matches == 60
    pairs = [
        one.next_match([1, 2, 4], [(1, 2)], b"key", number)
        for one in (scores, anew)
        for number in range(20)
    ]
    assert pairs[:20] == pairs[20:]
    assert {pair.teams for pair in pairs if pair} <= {(1, 4), (4, 1), (2, 4), (4, 2)}
    assert scores.next_match([3], [], b"key", 1) is None


def test_what_is_expected_follows_the_strengths_once_both_have_played() -> None:
    rng = Random(5)
    scores = Scores(4, {})
    for pair in list(combinations(range(1, 4), 2))[:2]:
        scores.add(pair, sums_of(match(rng, pair, 400)))
    assert scores.expected(1, 4) is None
    expected = scores.expected(2, 3)
    assert expected is not None
    assert expected == pytest.approx(STRENGTHS[1] - STRENGTHS[2], abs=1)
    assert scores.expected(3, 2) == -expected


def test_versions_in_a_circle_are_not_ahead_and_it_stays() -> None:
    wins = {(1, 2): 3, (2, 3): 3, (1, 3): -3}
    scores = Scores(4, {})
    proofs = [scores.add(pair, sums_of([swing] * 200)) for pair, swing in wins.items()]
    # The last win contradicts what followed from the others.
    assert proofs == [[(1, 2)], [(1, 3), (2, 3)], [(3, 1)]]
    assert not scores.ahead.any()
    orders = [order for of_match in proofs for order in of_match]
    sums = {pair: sums_of([swing] * 200) for pair, swing in wins.items()}
    for kept in (scores, Scores(4, sums, orders)):
        assert kept.circles() == [([1, 2, 3], [(1, 2), (2, 3), (3, 1)])]
        assert not kept.ahead.any()
        # Nothing is left to settle among them.
        drawn = [kept.next_match([1, 2, 3, 4], [], b"key", number) for number in range(20)]
        assert all(meeting is not None and 4 in meeting.teams for meeting in drawn)
    scores.add((1, 3), sums_of([9] * 200))
    assert not scores.ahead.any()


def test_sums_from_the_other_side_are_turned() -> None:
    sums = sums_of([3, -24, 0], (1, 2))
    assert sums.turned().turned() == sums
    assert (sums.turned().imps, sums.turned().left) == (21, (2, 1))
    assert (sums + sums).boards == 6
