"""The figures of an experiment."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum

import numpy as np
import pytest

from bridge_arena.bridge.record import Room
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.comparisons import Comparison
from bridge_arena.lab.figures import LabFigures, SprtFigures, lab_figures
from bridge_arena.reports.common.meetings import Meeting
from bridge_arena.tournaments.schedule.scores import swing
from bridge_arena.tournaments.statistics.sequential import Verdict
from bridge_arena.tournaments.statistics.significance import holm
from tests.lab.auctions import boards_of
from tests.lab.told import bidden, figures_of, one_arm, solve, two_arms


def test_an_arm_is_compared_as_in_a_match() -> None:
    experiment, part = bidden(boards_of(24), "baseline", "natural")
    figures = lab_figures(experiment, part, solve)
    imps = part.matches[0].imps.tolist()
    deals = [part.boards.deal(row) for row in range(24)]
    meeting = Meeting.of("baseline", "natural", zip(deals, imps, strict=True))
    (arm,) = figures.arms
    assert (arm.name, arm.against) == (meeting.first, meeting.second)
    assert (arm.imps, arm.p_value) == (meeting.imps, meeting.p_value)
    assert arm.imps_per_board.mean == pytest.approx(meeting.imps_per_board.mean)
    error = meeting.imps_per_board.standard_error
    assert arm.imps_per_board.standard_error == pytest.approx(error)
    assert arm.gained + arm.lost + arm.flat == figures.boards == figures.deals == 24
    assert figures.differences == ()
    assert arm.other_contracts.mean is not None
    assert arm.other_contracts.mean * 24 >= arm.gained + arm.lost > 0


def test_boards_of_one_deal_belong_together() -> None:
    few = boards_of(12)
    assert few.tricks is not None
    twice = LabBoards(np.arange(1, 25), np.tile(few.seats, (2, 1)), np.tile(few.tricks, (2, 1, 1)))
    experiment, part = bidden(twice, "baseline", "natural")
    figures = lab_figures(experiment, part, solve)
    imps = part.matches[0].imps.tolist()
    deals = [twice.deal(row) for row in range(24)]
    meeting = Meeting.of("", "", zip(deals, imps, strict=True))
    (arm,) = figures.arms
    assert (figures.boards, figures.deals) == (24, 12)
    assert arm.p_value == meeting.p_value
    error = meeting.imps_per_board.standard_error
    assert arm.imps_per_board.standard_error == pytest.approx(error)


def test_arms_are_compared_with_the_first() -> None:
    experiment, part = bidden(boards_of(24), "baseline", "random", "natural", "qtable")
    figures = lab_figures(experiment, part, solve)
    first, *others = (match.imps for match in part.matches)
    assert [each.name for each in figures.arms] == ["baseline", "random", "natural"]
    assert {each.against for each in figures.arms} == {"qtable"}
    assert [(each.name, each.against) for each in figures.differences] == [
        ("random", "baseline"),
        ("natural", "baseline"),
    ]
    deals = [part.boards.deal(row) for row in range(24)]
    alone = []
    for difference, imps in zip(figures.differences, others, strict=True):
        assert difference.imps == (imps - first).sum()
        paired = Meeting.of("", "", zip(deals, (imps - first).tolist(), strict=True))
        assert difference.imps_per_board.mean == pytest.approx(paired.imps_per_board.mean)
        alone.append(paired.p_value or 0.0)
    assert [each.p_value for each in figures.differences] == holm(alone)


@pytest.mark.parametrize("figures", [one_arm, two_arms])
def test_every_table_adds_up(figures: Callable[[], LabFigures]) -> None:
    found = figures()
    for comparison in (*found.arms, *found.differences):
        for table in comparison.where.values():
            assert fsum(row.imps for row in table.every) == comparison.imps
            assert sum(row.times for row in table.every) == comparison.partings


def check_swings(comparison: Comparison) -> None:
    costs = [swing.imps for swing in comparison.cost_most]
    gains = [swing.imps for swing in comparison.gained_most]
    assert costs == sorted(costs)
    assert gains == sorted(gains, reverse=True)
    assert all(cost < 0 for cost in costs)
    assert all(gain > 0 for gain in gains)
    for found in (*comparison.cost_most, *comparison.gained_most):
        assert (found.own.name, found.other.name) == (comparison.name, comparison.against)
        at = found.place - 1
        assert found.own.calls[:at] == found.other.calls[:at]
        assert found.own.calls[at] != found.other.calls[at]


def test_boards_that_cost_and_gained_most_are_told() -> None:
    experiment, part = bidden(boards_of(24), "baseline", "natural")
    figures = lab_figures(experiment, part, solve)
    (arm,) = figures.arms
    check_swings(arm)
    imps = sorted(part.matches[0].imps.tolist())
    assert [swing.imps for swing in arm.cost_most] == [each for each in imps if each < 0][:20]
    worst = arm.cost_most[0]
    assert {worst.own.room, worst.other.room} == set(Room)
    rooms = {
        record.room: record for record in figures.records if record.board.number == worst.board
    }
    home = swing(rooms.values())
    assert home is not None
    assert home.imps == worst.imps
    for table in (worst.own, worst.other):
        record = rooms[table.room]
        assert table.score == record.score
        assert record.players[worst.seat] == table.name
        assert record.board.deal[worst.seat] == worst.hand


def test_boards_of_two_arms_are_those_of_one_room() -> None:
    (difference,) = two_arms().differences
    check_swings(difference)
    for found in (*difference.cost_most, *difference.gained_most):
        assert found.own.room is found.other.room


def test_a_bidder_against_itself_parts_nowhere() -> None:
    (arm,) = figures_of(boards_of(4), "natural", "natural").arms
    assert (arm.imps, arm.partings, arm.flat, arm.p_value) == (0, 0, 4, 1.0)
    assert (arm.cost_most, arm.gained_most) == ((), ())
    assert all(table.every == () for table in arm.where.values())


def test_the_verdict_of_a_sequential_test_is_told() -> None:
    experiment, part = bidden(boards_of(8), "baseline", "natural", sprt="imp0=0 imp1=1")
    verdicts = (Verdict.ACCEPT_H0, Verdict.ACCEPT_H1, Verdict.GO_ON)
    found = [lab_figures(experiment, part, solve, verdict).sprt for verdict in verdicts]
    test = "imp0=0 imp1=1"
    assert found == [SprtFigures(test, "H0"), SprtFigures(test, "H1"), SprtFigures(test, None)]
    assert one_arm().sprt is None
