"""The luck of single decisions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.library.tricks.net import shipped
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision, decisions
from bridge_arena.recorded.audit.judge import judge
from bridge_arena.recorded.audit.values import candidates, values_of_calls, values_of_cards
from tests.bots.views import new_view
from tests.recorded.audit.boards import played
from tests.server.tables import DEAL, WEST_PLAYS_FOUR_HEARTS

RECORD = played(WEST_PLAYS_FOUR_HEARTS)
LEAD = next(each for each in decisions(RECORD) if each.kind is Kind.LEAD)


def test_cards_are_worth_what_the_solver_says() -> None:
    view = LEAD.view
    other = Deal((DEAL[Seat.NORTH], DEAL[Seat.SOUTH], DEAL[Seat.WEST], DEAL[Seat.EAST]))
    values = values_of_cards(view, [DEAL.hands, other.hands, DEAL.hands])
    solved = card_values(Position(DEAL.hands, view.playing.trump, Seat.NORTH))
    assert values[:, 0].tolist() == [solved[card] for card in view.legal_cards()]
    assert (values[:, 0] == values[:, 2]).all()
    assert (values[:, 0] != values[:, 1]).any()


@pytest.mark.slow
def test_a_lead_is_judged_and_always_alike() -> None:
    found = judge(LEAD, 32)
    assert found is not None
    assert found == judge(LEAD, 32)
    assert found.chosen == str(RECORD.cards[0])
    assert found.variance > 0


def test_nothing_is_at_stake_in_a_forced_card() -> None:
    last = list(decisions(RECORD))[-1]
    assert judge(last, 8) is None


def test_nothing_is_at_stake_where_the_system_knows_no_other_call() -> None:
    calls = [each for each in decisions(RECORD) if each.kind is Kind.CALL]
    natural = system("natural")
    options = [candidates(natural, each.view, RECORD.calls[each.action].call) for each in calls]
    assert list(map(str, options[0])) == ["Pass", "2D"]
    assert judge(calls[0], 4) is not None
    alone = next(each for each, found in zip(calls, options, strict=True) if len(found) == 1)
    assert judge(alone, 4) is None


def test_a_call_that_only_the_true_layout_bears_out_is_lucky() -> None:
    """Six spades on a hand with few points: they make, and partner would not have bid them."""
    slam = Deal.parse("N:KQJT9.2.5432.543 87.JT98.AQ87.QT9 A65432.AKQ3.6.A2 .7654.KJT9.KJ876")
    calls = tuple(MadeCall(Call(text)) for text in ("6S", "Pass", "Pass", "Pass"))
    board = Board.standard(1, slam)
    record = replace(RECORD, board=board, calls=calls, cards=(), contract=None)
    found = judge(Decision(record, 0, Seat.NORTH, Kind.CALL), 16)
    assert found is not None
    assert found.luck > 3
    assert found.chosen == "6S"


def test_calls_are_worth_points_of_the_caller_s_side() -> None:
    board = Board.standard(1, DEAL)
    view = new_view(Seat.NORTH, board)
    reader = system("natural")
    worth = values_of_calls(reader, shipped(), view, [Call("7NT"), Call("1D")], [DEAL.hands])
    assert worth.shape == (2, 1)
    assert worth[0, 0] < worth[1, 0]
    assert worth[0, 0] < -200


def test_passing_out_is_worth_nothing() -> None:
    weak = Deal.parse("N:5432.432.432.432 AKQJ.5.AK65.AKQ5 9876.876.987.876 T.AKQJT9.QJT.JT9")
    view = new_view(Seat.NORTH, Board.standard(1, weak))
    own = weak[Seat.NORTH]  # four such hands pass
    layouts = [(own, own, own, own)]
    worth = values_of_calls(system("natural"), shipped(), view, [Call("Pass")], layouts)
    assert np.array_equal(worth, [[0.0]])
