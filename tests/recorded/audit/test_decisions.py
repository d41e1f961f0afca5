"""The decisions of a recorded board, and what their players could know."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import Fault, FaultKind, Mode
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision, decisions
from tests.recorded.audit.boards import played
from tests.server.tables import DEAL, WEST_PLAYS_FOUR_HEARTS

WEST_DECLARES = played(WEST_PLAYS_FOUR_HEARTS)


def test_each_call_and_card_is_somebody_s_decision() -> None:
    found = list(decisions(WEST_DECLARES))
    assert [each.action for each in found] == list(range(13 + 52))
    assert [each.seat for each in found[:4]] == list(SEATS)
    assert Counter(each.kind for each in found) == {
        Kind.CALL: 13,
        Kind.LEAD: 1,
        Kind.DECLARER: 26,
        Kind.DEFENDER: 25,
    }
    assert {each.seat for each in found if each.kind is Kind.DECLARER} == {Seat.WEST}
    assert found[13].seat is Seat.NORTH


def test_calls_that_were_given_are_nobody_s_decisions() -> None:
    for record in (
        replace(WEST_DECLARES, mode=Mode.PLAY),
        replace(WEST_DECLARES, calls=()),
        replace(WEST_DECLARES, calls=WEST_DECLARES.calls[:5]),
    ):
        found = list(decisions(record))
        assert len(found) == 52
        assert found[0].kind is Kind.LEAD
        assert found[0].view.playing.cards == []


def test_a_board_that_was_passed_out_has_calls() -> None:
    assert [each.kind for each in decisions(played("Pass Pass Pass Pass"))] == [Kind.CALL] * 4


def test_a_fault_hides_nothing() -> None:
    fault = Fault(Seat.NORTH, FaultKind.ILLEGAL, 13)
    assert len(list(decisions(replace(WEST_DECLARES, faults=(fault,))))) == 65


def test_the_view_is_that_of_the_seat() -> None:
    lead = next(each for each in decisions(WEST_DECLARES) if each.kind is Kind.LEAD)
    view = lead.view
    assert (view.seat, view.hand) == (Seat.NORTH, DEAL[Seat.NORTH])
    assert view.deal is None
    assert [view.held(seat) is not None for seat in SEATS] == [True, False, False, False]
    told = view.calls[3].explanation
    assert told is not None
    assert told.hcp == (15, 17)
    # East's partner is not told what East's own calls mean.
    west = next(each for each in decisions(WEST_DECLARES) if each.kind is Kind.DECLARER).view
    assert west.calls[5].explanation is None
    assert west.held(Seat.EAST) == DEAL[Seat.EAST]
    assert west.held(Seat.SOUTH) is None


def test_the_view_does_not_depend_on_what_the_seat_cannot_see() -> None:
    north, east, south, west = DEAL.hands
    board = WEST_DECLARES.board
    other = Board(board.number, board.dealer, board.vulnerability, Deal((north, south, west, east)))
    for action in (4, 8, 13):
        views = [
            Decision(replace(record, cards=record.cards[:1]), action, Seat.NORTH, Kind.LEAD).view
            for record in (WEST_DECLARES, replace(WEST_DECLARES, board=other))
        ]
        assert vars_of(views[0]) == vars_of(views[1])


def vars_of(view: object) -> dict[str, object]:
    """Return what a view holds, as far as it can be compared."""
    facts = dict(vars(view))
    auction, play = facts.pop("auction"), facts.pop("play")
    return facts | {"auction": auction.calls, "play": None if play is None else play.cards}
