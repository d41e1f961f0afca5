"""Tests of the costs of single calls."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, FIRST_BID, PASS, Call
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import MadeCall
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.analysis.units import solve
from bridge_arena.recorded.calls.question import FEW_LAYOUTS, Question, Systems, rough
from bridge_arena.recorded.calls.weighing import MOST_CONTRACTS, cost_of
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.tournaments.events.boards import bid
from bridge_arena.tournaments.statistics.means import clustered_mean

NATURAL: Systems = ("natural",) * 4

GAME_IN_HAND = Deal.parse("N:AKQJT98.AK.AKQ.2 32.987.J987.KJ98 654.QJT.65.76543 7.65432.T432.AQT")
NOTHING = Deal.parse("N:432.432.432.5432 AKQJ.JT98.T98.76 T987.AKQ.AKQ.AKJ 65.765.J765.QT98")
SLAM = Deal.parse("N:KQJT9.2.5432.543 87.JT98.AQ87.QT9 A65432.AKQ3.6.A2 .7654.KJT9.KJ876")


def question(deal: Deal, *calls: str, systems: Systems = NATURAL) -> Question:
    """Return the question what the last call cost. North deals, nobody is vulnerable."""
    board = Board.standard(1, deal)
    return Question(board, systems, tuple(MadeCall(Call(call)) for call in calls))


def test_passing_a_game_in_hand_costs_imps() -> None:
    found = cost_of(question(GAME_IN_HAND, "Pass"))
    assert found.call == "Pass"
    assert found.best == "2C"
    assert found.cost > 5
    assert found.is_clear
    assert found.real > 5


def test_opening_a_game_in_hand_costs_nothing() -> None:
    found = cost_of(question(GAME_IN_HAND, "2C"))
    assert found.best == "Pass"
    assert found.gain < -5
    assert found.cost == 0
    assert not found.is_clear
    assert found.real < -5


def test_a_grand_slam_on_nothing_costs_imps() -> None:
    found = cost_of(question(NOTHING, "7NT"))
    assert found.best == "Pass"
    assert found.is_clear
    assert found.real > 0


def test_the_real_layout_may_bear_out_a_wrong_call() -> None:
    """Six spades on a hand with few points: they make, and partner would not have bid them."""
    found = cost_of(question(SLAM, "6S"))
    assert found.best == "Pass"
    assert found.is_clear
    assert found.real <= 0


def test_a_call_without_an_alternative_costs_nothing() -> None:
    found = cost_of(question(NOTHING, "Pass"))
    assert found == CallCost("Pass", None, 0.0, 0.0, 0)


def test_the_contracts_after_both_calls_are_kept() -> None:
    found = cost_of(question(GAME_IN_HAND, "Pass"))
    means = []
    for contracts in (found.contracts, found.best_contracts):
        *named, last = contracts
        assert len(named) <= MOST_CONTRACTS
        assert sorted(named, key=lambda expected: -expected.share) == named
        assert all(expected.contract for expected in named)
        assert sum(expected.share for expected in contracts) == pytest.approx(1, abs=0.001)
        means.append(sum(expected.share * expected.points for expected in contracts))
        assert last.share > 0
    assert means[1] - means[0] > 200
    assert {contract.contract for contract in found.contracts} != {
        contract.contract for contract in found.best_contracts
    }
    assert CallCost.parse(str(found)) == found


def test_answers_without_contracts_are_read() -> None:
    kept = '{"call": "Pass", "best": "1C", "gain": 1.5, "standard_error": 0.5, "real": 3}'
    assert CallCost.parse(kept) == CallCost("Pass", "1C", 1.5, 0.5, 3)


def test_the_hidden_cards_have_no_part_in_the_cost() -> None:
    """The other hands change, and only the result in the real layout changes with them."""
    north, east, south, west = NOTHING.hands
    one = question(Deal((north, east, south, west)), "Pass", "Pass", "Pass")
    two = question(Deal((east, west, south, north)), "Pass", "Pass", "Pass")
    found, changed = cost_of(one), cost_of(two)
    assert found.cost > 1
    assert replace(found, real=0) == replace(changed, real=0)
    assert found.real != changed.real


def test_the_other_players_bid_on_by_their_own_systems() -> None:
    asked = question(GAME_IN_HAND, "Pass")
    simple: Systems = ("natural", "simple", "simple", "simple")
    assert cost_of(asked).gain != cost_of(replace(asked, systems=simple)).gain


def test_the_longest_auction_is_weighed_to_its_last_bid() -> None:
    calls = ["Pass"] * 3
    for each in CALLS[FIRST_BID:]:
        calls += [str(each), "Pass", "Pass", "X", "Pass", "Pass", "XX", "Pass", "Pass"]
    found = cost_of(question(NOTHING, *calls[: calls.index("7NT") + 2]))
    assert (found.call, found.best) == ("Pass", "X")
    assert found.is_clear


def test_an_estimate_is_the_cost_on_the_first_layouts() -> None:
    asked = question(GAME_IN_HAND, "Pass")
    estimate = Question.parse(rough(str(asked)))
    assert estimate == replace(asked, layouts=FEW_LAYOUTS)
    assert estimate.situation == asked.situation
    assert cost_of(estimate).best == cost_of(asked).best


@pytest.mark.slow
def test_the_cost_of_a_call_is_the_same_in_another_process() -> None:
    unit = str(question(NOTHING, "Pass", "1S"))
    with Oracle(1) as oracle:
        answer = oracle.submit(solve, unit).result()
    assert answer == solve(unit)
    assert CallCost.parse(answer) == cost_of(Question.parse(unit))


@pytest.mark.slow
def test_what_the_system_bids_itself_costs_about_nothing() -> None:
    natural = system("natural")
    gains = [
        (number, cost_of(Question(board, NATURAL, calls[: place + 1], 16)).gain)
        for number in range(1, 7)
        for board in (Board.dealt(6, number),)
        for calls in (bid(board, natural),)
        for place, made in enumerate(calls)
        if made.call != PASS
    ]
    told = clustered_mean(gains)
    assert told.mean is not None
    assert told.standard_error is not None
    assert told.mean < 2 * told.standard_error
