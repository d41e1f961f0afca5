"""Ratings against worked examples, the formulas written out, and simulated fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.ratings import FEWEST_DEALS, Field, Observation, rate
from bridge_arena.tournaments.statistics.significance import two_sided_t

SWINGS = st.lists(st.integers(-24, 24), min_size=FEWEST_DEALS, max_size=15)


def values(field: Field) -> dict[str, float]:
    return {rating.entry: rating.estimate.value for rating in field.ratings}


def test_a_worked_example_has_its_ratings() -> None:
    """A beats B by 4 a board and B beats C by 2: 10/3, -2/3 and -8/3 add up to zero."""
    boards = [
        Observation("A", "B", 1, 5),
        Observation("A", "B", 2, 3),
        Observation("C", "B", 1, -1),
        Observation("B", "C", 2, 3),
    ]
    [field] = rate(boards)
    assert [rating.entry for rating in field.ratings] == ["A", "B", "C"]
    assert values(field) == pytest.approx({"A": 10 / 3, "B": -2 / 3, "C": -8 / 3})
    assert [rating.boards for rating in field.ratings] == [2, 4, 2]
    assert field.difference("A", "C").value == pytest.approx(6)


def test_a_round_robin_rates_by_the_mean_against_the_others() -> None:
    """All played all: the rating is the sum of the margins over the number of entries."""
    margins = {("A", "B"): 2.0, ("A", "C"): 3.0, ("B", "C"): 7.0}
    [field] = rate(Observation(*pair, 1, imps) for pair, imps in margins.items())
    assert values(field) == pytest.approx({"A": 5 / 3, "B": 5 / 3, "C": -10 / 3})


@settings(deadline=None)
@given(SWINGS)
def test_two_entries_are_compared_as_by_a_t_test(swings: list[int]) -> None:
    [field] = rate(Observation("A", "B", deal, imps) for deal, imps in enumerate(swings))
    estimate = field.difference("A", "B")
    mean = Mean.of(swings)
    assert estimate.value == pytest.approx(mean.mean)
    assert estimate.standard_error == pytest.approx(mean.standard_error, abs=1e-9)
    assert estimate.interval is not None
    assert mean.mean is not None
    assert mean.standard_error is not None
    reach = two_sided_t(0.95, len(swings) - 1) * mean.standard_error
    assert estimate.interval == pytest.approx((mean.mean - reach, mean.mean + reach), abs=1e-6)


@settings(deadline=None)
@given(SWINGS)
def test_the_order_of_entries_changes_no_rating(swings: list[int]) -> None:
    names = ("A", "B", "C")
    boards = [
        Observation(names[place % 3], names[(place + 1) % 3], place // 3, imps)
        for place, imps in enumerate(swings)
    ]
    turned = [Observation(each.second, each.first, each.cluster, -each.imps) for each in boards]
    one, other = rate(boards)[0], rate(reversed(turned))[0]
    assert values(one) == pytest.approx(values(other), abs=1e-9)
    errors = [
        {rating.entry: rating.estimate.standard_error for rating in field.ratings}
        for field in (one, other)
    ]
    assert (one.errors is None) == (other.errors is None)
    if one.errors is not None:
        assert errors[0] == pytest.approx(errors[1], abs=1e-6)


def test_every_board_twice_tells_no_more() -> None:
    boards = [Observation("A", "B", deal, imps) for deal, imps in enumerate([0, 5, -3, 0, 11])]
    once, twice = rate(boards)[0], rate([*boards, *boards])[0]
    assert once.difference("A", "B").standard_error == pytest.approx(
        twice.difference("A", "B").standard_error
    )


def test_entries_that_no_board_connects_are_apart() -> None:
    boards = [
        Observation(first, second, deal, imps)
        for first, second in [("A", "B"), ("C", "D"), ("D", "E")]
        for deal, imps in enumerate([3, -1, 2])
    ]
    larger, smaller = rate(boards)
    assert {rating.entry for rating in larger.ratings} == {"C", "D", "E"}
    assert {rating.entry for rating in smaller.ratings} == {"A", "B"}
    assert sum(values(larger).values()) == pytest.approx(0)
    assert sum(values(smaller).values()) == pytest.approx(0)
    with pytest.raises(ValueError, match="no chain of boards connects A and C"):
        smaller.difference("A", "C")


def test_a_comparison_that_hangs_on_one_deal_has_no_error() -> None:
    """B and C met on a single deal: nothing says how far its swing was luck."""
    boards = [Observation("A", "B", deal, imps) for deal, imps in enumerate([3, -1, 2])]
    [field] = rate([*boards, Observation("B", "C", 0, 10)])
    assert field.errors is None
    assert all(rating.estimate.interval is None for rating in field.ratings)
    assert field.difference("A", "C").standard_error is None
    assert field.difference("A", "C").value == pytest.approx(4 / 3 + 10)


def test_a_board_against_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="A cannot be rated by a board against itself"):
        rate([Observation("A", "A", 1, 0)])


def test_no_boards_give_no_ratings() -> None:
    assert rate([]) == []


def written_out(
    boards: list[Observation], names: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64], Callable[[NDArray[np.float64]], float]]:
    """Ratings, covariance and the degrees of freedom of sums of ratings, by the formulas over
    all boards (Pustejovsky and Tipton 2018, equations 4, 6 and 11 with independent equal
    errors)."""
    design = np.zeros((len(boards), len(names)))
    for row, board in enumerate(boards):
        design[row, names.index(board.first)] += 1
        design[row, names.index(board.second)] -= 1
    inverse = np.linalg.pinv(design.T @ design)
    imps = np.array([board.imps for board in boards])
    ratings = inverse @ design.T @ imps
    left = np.eye(len(boards)) - design @ inverse @ design.T
    covariance = np.zeros((len(names), len(names)))
    spread = []
    for deal in {board.cluster for board in boards}:
        rows = [row for row, board in enumerate(boards) if board.cluster == deal]
        sizes, vectors = np.linalg.eigh(left[np.ix_(rows, rows)])
        adjust = (vectors / np.sqrt(sizes)) @ vectors.T
        score = inverse @ design[rows].T @ adjust @ (imps - design @ ratings)[rows]
        covariance += np.outer(score, score)
        spread.append(left[:, rows] @ adjust @ design[rows] @ inverse)

    def degrees(contrast: NDArray[np.float64]) -> float:
        parts = [one @ contrast for one in spread]
        gram = np.array([[one @ other for other in parts] for one in parts])
        return float(np.trace(gram) ** 2 / (gram**2).sum())

    return ratings, covariance, degrees


@pytest.mark.parametrize("seed", range(5))
def test_errors_and_degrees_of_freedom_are_those_of_the_formulas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = list("ABCDE")
    boards = [
        Observation(one, other, int(rng.integers(12)), float(rng.normal(0, 5)))
        for one, other in combinations(names, 2)
        for _ in range(int(rng.integers(2, 9)))
    ]
    [field] = rate(boards)
    ratings, covariance, degrees = written_out(boards, names)
    assert field.errors is not None
    order = [names.index(rating.entry) for rating in field.ratings]
    assert field.errors.covariance == pytest.approx(covariance[np.ix_(order, order)])
    for rating, place in zip(field.ratings, order, strict=True):
        assert rating.estimate.value == pytest.approx(ratings[place])
        assert rating.estimate.standard_error == pytest.approx(np.sqrt(covariance[place, place]))
        assert rating.estimate.degrees == pytest.approx(degrees(np.eye(len(names))[place]))
    for one, other in combinations(order, 2):
        contrast = np.eye(len(names))[one] - np.eye(len(names))[other]
        difference = field.difference(names[one], names[other])
        assert difference.value == pytest.approx(ratings[one] - ratings[other])
        assert difference.standard_error == pytest.approx(np.sqrt(contrast @ covariance @ contrast))
        assert difference.degrees == pytest.approx(degrees(contrast))


def test_entries_that_did_the_same_differ_by_nothing() -> None:
    rng = np.random.default_rng(1)
    boards = [
        Observation(one, other, deal, float(imps))
        for other in "CD"
        for deal in range(40)
        for imps in [rng.integers(-9, 10)]
        for one in ("A1", "A2", "A3")
    ]
    [field] = rate(boards)
    for pair in combinations(("A1", "A2", "A3"), 2):
        difference = field.difference(*pair)
        assert difference.value == pytest.approx(0)
        assert (difference.standard_error, difference.p_value) == (0, None)


def test_a_pair_of_few_deals_in_a_larger_event_has_no_p_value() -> None:
    """Four boards of a pair: head to head p = 0.125, whatever others played beside them."""
    rng = np.random.default_rng(1)
    boards = [Observation("A", "B", deal, imps) for deal, imps in enumerate([3, 3, 3, 4])]
    boards += [
        Observation("B", other, deal, float(rng.integers(-9, 10)))
        for other in "CDE"
        for deal in range(4, 36)
    ]
    [field] = rate(boards)
    pair = field.difference("A", "B")
    assert pair.value == pytest.approx(3.25)
    assert pair.standard_error == pytest.approx(0.25)
    assert pair.degrees == pytest.approx(3)
    assert pair.is_of_few_deals
    assert (pair.interval, pair.p_value) == (None, None)
    # What the others played tells them apart as before.
    rest = field.difference("B", "C")
    assert not rest.is_of_few_deals
    assert rest.p_value is not None


@pytest.mark.parametrize(("deals", "few"), [(FEWEST_DEALS - 1, True), (FEWEST_DEALS, False)])
def test_these_numbers_of_deals_are_few(deals: int, *, few: bool) -> None:
    """In a round robin over the same deals each is worth one, however many played it."""
    rng = np.random.default_rng(1)
    [field] = rate(
        Observation(one, other, deal, float(rng.integers(-9, 10)))
        for one, other in combinations("ABCD", 2)
        for deal in range(deals)
    )
    assert field.difference("A", "B").degrees == pytest.approx(deals - 1)
    assert field.difference("A", "B").is_of_few_deals == few
    assert [rating.estimate.is_of_few_deals for rating in field.ratings] == [few] * 4


def covers(field: Field, truth: NDArray[np.float64]) -> list[bool]:
    intervals = {int(rating.entry): rating.estimate.interval for rating in field.ratings}
    return [
        interval is not None and interval[0] <= truth[entry] <= interval[1]
        for entry, interval in intervals.items()
    ]


def test_intervals_cover_where_matches_share_deals() -> None:
    """95 % intervals of 250 round robins of 4 over 12 deals that suit some entries, in all
    their matches. Taken as independent boards they would be too narrow."""
    rng = np.random.default_rng(1)
    truth = np.array([1.5, 0.5, 0.0, -2.0])
    covered, wrongly_covered = [], []
    for _ in range(250):
        style = rng.normal(0, 4, size=(12, 4))
        boards = [
            Observation(str(one), str(other), deal, float(imps))
            for one, other in combinations(range(4), 2)
            for deal, imps in enumerate(
                truth[one] - truth[other] + style[:, one] - style[:, other] + rng.normal(0, 2, 12)
            )
        ]
        covered += covers(rate(boards)[0], truth)
        apart = [replace(board, cluster=number) for number, board in enumerate(boards)]
        wrongly_covered += covers(rate(apart)[0], truth)
    # 1,000 intervals, four of a field together, so chance is worth about 0.01.
    assert np.mean(covered) == pytest.approx(0.95, abs=0.03)
    assert np.mean(wrongly_covered) < 0.9
