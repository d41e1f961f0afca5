"""Tests of what the cost of a call depends on."""

from __future__ import annotations

from dataclasses import replace

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall, Mode
from bridge_arena.bridge.seats import Seat
from bridge_arena.recorded.calls.question import Question, call_units
from tests.recorded.audit.boards import played
from tests.server.tables import DEAL, WEST_PLAYS_FOUR_HEARTS

RECORD = played(WEST_PLAYS_FOUR_HEARTS)


def test_one_question_a_call_which_can_be_read_back() -> None:
    units = call_units(RECORD)
    assert len(set(units)) == len(RECORD.calls)
    for place, unit in enumerate(units):
        question = Question.parse(unit)
        assert str(question) == unit
        assert question.decision.seat == RECORD.caller(place)
        assert question.decision.action == place
        told = [made.explanation for made in question.calls]
        assert [made.call for made in question.calls] == [
            made.call for made in RECORD.calls[: place + 1]
        ]
        assert [each and (each.hcp, each.lengths) for each in told] == [
            each.explanation and (each.explanation.hcp, each.explanation.lengths)
            for each in RECORD.calls[: place + 1]
        ]


def test_nothing_was_decided_where_the_auction_was_given() -> None:
    assert call_units(replace(RECORD, mode=Mode.PLAY)) == []
    assert call_units(replace(RECORD, calls=())) == []


def test_a_question_is_the_same_at_another_table() -> None:
    """Another number, other names of the same system, words, cards, and what was called later."""
    worded = tuple(
        replace(each, explanation=each.explanation and replace(each.explanation, text="<b>"))
        for each in RECORD.calls
    )
    later = (*worded[:-1], MadeCall(worded[-1].call, explanation=Explanation("last")))
    other = replace(
        RECORD,
        board=replace(RECORD.board, number=17),
        players=("Ann", "Bob", "Eve", "natural"),
        calls=later,
        cards=(),
    )
    assert call_units(other)[:-1] == call_units(RECORD)[:-1]
    assert call_units(other)[-1] != call_units(RECORD)[-1]


def test_other_promises_or_systems_make_another_question() -> None:
    promise = Explanation(hcp=(6, 9))
    first, *others = RECORD.calls
    told = replace(RECORD, calls=(replace(first, explanation=promise), *others))
    assert set(call_units(told)).isdisjoint(call_units(RECORD))
    assert set(call_units(RECORD, {"cat": "neural"})).isdisjoint(call_units(RECORD))


def test_the_layouts_come_from_what_the_caller_knew() -> None:
    """The others' hands change, and the call itself: the situation does not."""
    last = Question.parse(call_units(RECORD)[-1])
    seat = last.decision.seat
    hands = {each: DEAL[each] for each in Seat}
    one, two, three = (each for each in Seat if each != seat)
    hands[one], hands[two], hands[three] = hands[two], hands[three], hands[one]
    other = Deal((hands[Seat.NORTH], hands[Seat.EAST], hands[Seat.SOUTH], hands[Seat.WEST]))
    calls = (*last.calls[:-1], MadeCall(last.calls[0].call))
    changed = replace(last, board=replace(last.board, deal=other), calls=calls)
    assert changed.situation == last.situation
    assert str(changed) != str(last)
    before = replace(last, calls=last.calls[:-1])
    assert before.situation != last.situation
