"""Tricks, points and IMPs over worlds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bridge_arena.bots.montecarlo.evaluation import Evaluation
from bridge_arena.bots.montecarlo.objective import Objective, best_cards, merits_of, score_by_tricks
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.seats import Seat, Side, Vulnerability

THREE_NOTRUMP = Contract.parse("3NT", Seat.SOUTH)

SAFE_OR_MANY = {"SA": (9, 9, 9, 9), "SQ": (11, 11, 8, 8)}
"""Nine tricks for sure, or now eleven, now eight."""


def best(
    objective: Objective,
    values: Mapping[str, tuple[int, ...]],
    counts: tuple[int, ...] | None = None,
    side: Side = Side.NS,
) -> set[str]:
    size = len(next(iter(values.values())))
    evaluation = Evaluation(
        counts or (1,) * size, {Card(text): tricks for text, tricks in values.items()}
    )
    merits = merits_of(evaluation, objective, THREE_NOTRUMP, side, Vulnerability.NONE)
    return {str(card) for card in best_cards(merits)}


class TestScores:
    def test_declarers_score_what_their_tricks_are_worth(self) -> None:
        points = score_by_tricks(THREE_NOTRUMP, Side.NS, Vulnerability.NONE)
        assert points[8:11] == (-50, 400, 430)
        points = score_by_tricks(THREE_NOTRUMP, Side.NS, Vulnerability.NS)
        assert points[8:11] == (-100, 600, 630)
        assert points[0] == -900

    def test_defenders_score_what_declarers_other_tricks_are_worth(self) -> None:
        """Declarer keeps nine tricks when the defenders take four."""
        points = score_by_tricks(THREE_NOTRUMP, Side.EW, Vulnerability.EW)
        assert points[3:6] == (-430, -400, 50)
        assert points[13] == 450

    @pytest.mark.parametrize("side", list(Side))
    def test_more_tricks_are_more_points(self, side: Side) -> None:
        points = score_by_tricks(Contract.parse("2SX", Seat.SOUTH), side, Vulnerability.ALL)
        assert sorted(set(points)) == list(points)


class TestBestCards:
    def test_the_objective_of_tricks_takes_most_on_average(self) -> None:
        assert best("tricks", SAFE_OR_MANY) == {"SQ"}

    def test_the_objective_of_score_prefers_the_contract(self) -> None:
        assert best("score", SAFE_OR_MANY) == {"SA"}

    def test_the_objective_of_imps_prefers_the_contract(self) -> None:
        assert best("imps", SAFE_OR_MANY) == {"SA"}

    def test_imps_count_a_rare_disaster_for_less_than_points_do(self) -> None:
        """An overtrick is one IMP of 30 points; 850 points are 13 IMPs."""
        often = {"SA": (9, 9), "SQ": (10, 0)}
        assert best("imps", often, (20, 1)) == {"SQ"}
        assert best("score", often, (20, 1)) == {"SA"}
        assert best("imps", often, (10, 1)) == {"SA"}

    def test_worlds_count_as_often_as_they_were_drawn(self) -> None:
        values = {"SA": (9, 9), "SQ": (10, 8)}
        assert best("tricks", values) == {"SA"}  # by its points
        assert best("tricks", values, (2, 1)) == {"SQ"}
        assert best("tricks", values, (1, 2)) == {"SA"}

    @pytest.mark.parametrize("objective", ["tricks", "score", "imps"])
    def test_equal_cards_are_all_named(self, objective: Objective) -> None:
        values = {"SA": (9, 8), "SK": (9, 8), "S2": (9, 7)}
        assert best(objective, values) == {"SA", "SK"}

    @pytest.mark.parametrize("objective", ["tricks", "score", "imps"])
    def test_the_best_cards_of_defenders_take_most_tricks(self, objective: Objective) -> None:
        """The contract fails when the defenders take their fifth trick."""
        values = {"SA": (4, 4, 4), "SQ": (5, 4, 4)}
        assert best(objective, values, side=Side.EW) == {"SQ"}
