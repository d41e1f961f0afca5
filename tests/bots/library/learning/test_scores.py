"""Scores of many contracts: against the scores of single ones, and costs worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bridge_arena.bots.library.learning.scores import (
    CONTRACTS,
    costs_of,
    expected_points,
    imps_of,
    points_of,
    points_table,
)
from bridge_arena.bridge.calls import DENOMINATIONS, Contract
from bridge_arena.bridge.scoring import contract_score, imps
from bridge_arena.bridge.seats import Seat

NAMES = ["Pass", *(f"{level}{strain}" for level in range(1, 8) for strain in DENOMINATIONS)]
"""The contracts by their numbers."""


@pytest.mark.parametrize("vulnerable", [False, True])
def test_the_table_of_points_agrees_with_single_scores(vulnerable: bool) -> None:  # noqa: FBT001
    table = points_table(vulnerable=vulnerable)
    assert table.shape == (CONTRACTS, 14)
    assert not table[0].any(), "a board passed out scores nothing"
    for number, name in enumerate(NAMES[1:], start=1):
        contract = Contract.parse(name, Seat.NORTH)
        for tricks in range(14):
            down = contract.tricks_needed - tricks
            played = Contract.parse(name + ("X" if down > 2 else ""), Seat.NORTH)
            assert table[number, tricks] == contract_score(played, tricks, vulnerable=vulnerable)


@pytest.mark.parametrize(
    ("name", "tricks", "points"),
    [("3NT", 9, 400), ("3NT", 7, -100), ("3NT", 6, -500), ("7C", 13, 1440), ("1S", 0, -1700)],
)
def test_contracts_have_their_known_points(name: str, tricks: int, points: int) -> None:
    assert points_table()[NAMES.index(name), tricks] == points


def test_when_opponents_double_is_to_be_chosen() -> None:
    game = NAMES.index("4S")
    assert points_table(doubled_beyond=0)[game, 9] == -100
    assert points_table(doubled_beyond=13)[game, 6] == -200


@given(arrays(np.int64, (3, 2, 5), elements=st.integers(0, 13)))
def test_points_of_many_contracts_are_those_of_the_table(tricks: np.ndarray) -> None:
    table = points_table()
    points = points_of(tricks, table)
    assert points.shape == (3, 2, CONTRACTS)
    for place in np.ndindex(3, 2):
        expected = [0, *(table[n, tricks[place][(n - 1) % 5]] for n in range(1, CONTRACTS))]
        assert points[place].tolist() == expected


@given(st.lists(st.floats(0, 20_000), min_size=1, max_size=20))
def test_imps_are_those_of_the_nearest_points(differences: list[float]) -> None:
    found = imps_of(np.array(differences))
    assert found.tolist() == [imps(round(difference)) for difference in differences]


class TestCosts:
    """Tricks in clubs, diamonds, hearts, spades, notrump, by North and by South."""

    def test_costs_of_one_layout_are_those_worked_out_by_hand(self) -> None:
        tricks = np.array([[[[7, 8], [6, 6], [6, 6], [10, 9], [8, 7]]]])
        (costs,) = costs_of(tricks)
        # 4S by North makes 420; 3S 170, 5S -50, 2NT 120, 3NT -50, 2C by South 90, Pass 0.
        expected = {"4S": 0, "3S": 6, "5S": 10, "2NT": 7, "3NT": 10, "2C": 8, "Pass": 9, "6S": 11}
        assert {name: costs[NAMES.index(name)] for name in expected} == expected

    def test_imps_are_averaged_over_the_layouts(self) -> None:
        tricks = np.zeros((1, 2, 5, 2), np.int64)
        tricks[0, :, 3] = [[10, 10], [9, 9]]
        (costs,) = costs_of(tricks)
        # 4S 420 and -50, 3S and 2S 170 and 140, 5S -50 and -100; the best 420 and 140.
        expected = {"4S": 2.5, "3S": 3, "2S": 3, "5S": (10 + 6) / 2, "Pass": (9 + 4) / 2}
        assert {name: costs[NAMES.index(name)] for name in expected} == expected

    def test_the_better_declarer_differs_by_layout(self) -> None:
        tricks = np.zeros((1, 2, 5, 2), np.int64)
        tricks[0, :, 4] = [[9, 3], [3, 9]]
        (costs,) = costs_of(tricks)
        assert costs[NAMES.index("3NT")] == 0

    def test_passing_out_is_best_where_nothing_makes(self) -> None:
        (costs,) = costs_of(np.full((1, 1, 5, 2), 5))
        assert costs[0] == 0
        assert (costs[1:] > 0).all()

    @given(arrays(np.int64, (2, 5, 5, 2), elements=st.integers(0, 13)))
    def test_costs_of_many_layouts_are_the_means_of_the_single_ones(
        self, tricks: np.ndarray
    ) -> None:
        costs = costs_of(tricks)
        assert costs.shape == (2, CONTRACTS)
        singles = [costs_of(tricks[:, [layout]]) for layout in range(5)]
        assert all((single.min(axis=1) == 0).all() for single in singles)
        assert np.allclose(costs, np.mean(singles, axis=0))
        assert costs.max() <= 24
        assert np.allclose(costs, costs_of(tricks[:, ::-1, :, ::-1])), "order is nothing"


def test_points_to_be_expected_are_those_of_the_tricks_weighed() -> None:
    chances = np.zeros((2, 5, 14), np.float32)
    chances[0, :, 9] = 1.0
    chances[1, :, [8, 10]] = 0.5
    points = points_of(np.array([[9] * 5, [8] * 5, [10] * 5]), points_table())
    found = expected_points(chances)
    assert (found[0] == points[0]).all()
    assert (found[1] == (points[1] + points[2]) / 2).all()
    both = expected_points(np.stack([chances, chances], axis=2))
    assert (both == np.stack([found, found], axis=1)).all()
