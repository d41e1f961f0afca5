"""Tests of what the cost of a call depends on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.registry import SHIPPED
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall, Mode
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.recorded.calls.question import (
    Question,
    Systems,
    TableSystem,
    call_units,
    system_of,
    systems_at,
)
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


@pytest.mark.parametrize(
    ("player", "name"),
    [
        ("natural", "natural"),
        ("baseline", "simple"),
        ("baseline-2", "simple"),
        ("neural", "neural"),
        ("deepq", "deepq"),
        ("fastplay:worlds=4,bidding=qtable", "qtable"),
        ("mine=baseline:bidding=neural", "neural"),
        ("montecarlo:bidding=unheard", "natural"),
        ("random", "natural"),
        ("remote:neural", "natural"),
        ("cmd:neural", "natural"),
        ("human:Ann", "natural"),
        ("", "natural"),
        ("Ann = 2, of course: -", "natural"),
    ],
)
def test_the_system_behind_a_name_is_known(player: str, name: SystemName) -> None:
    assert system_of(player) == name


@pytest.mark.parametrize("name", SHIPPED)
def test_every_bot_that_ships_has_a_system(name: str) -> None:
    assert system(system_of(name))


def test_a_name_in_a_file_of_boards_opens_no_other_file(tmp_path: Path) -> None:
    """Were the file read, it would be none of weights, and the bot would not be made."""
    foreign = tmp_path / "secret.npz"
    foreign.write_text("secret")
    assert system_of(f"fastplay:weights={foreign},bidding=neural") == "neural"
    assert system_of("fastplay:weights=/dev/zero,bidding=simple") == "simple"


def test_the_players_of_a_table_have_their_systems() -> None:
    record = replace(played(WEST_PLAYS_FOUR_HEARTS), players=("Ann", "neural", "Bob", "neural"))
    assert systems_at(record) == ("natural", "neural", "natural", "neural")
    specs = {"Bob": "baseline", "neural": "remote:neural"}
    assert systems_at(record, specs) == ("natural", "natural", "simple", "natural")


def test_each_hand_is_bid_by_its_own_system() -> None:
    names: Systems = ("natural", "simple", "neural", "qtable")
    table = TableSystem(names)
    board = Board.dealt(1, 1)
    auction = Auction(Seat.NORTH)
    for seat in SEATS:
        own = system(names[seat])
        hand = board.deal[seat]
        asked = (hand, auction, board.vulnerability)
        assert table.choose(*asked) == own.choose(*asked)
        assert table.options(*asked) == own.options(*asked)
        auction.push(Call("Pass"))


def test_each_call_is_read_by_the_system_of_its_maker() -> None:
    auction = Auction(Seat.EAST, map(Call, ("1NT", "Pass", "2D", "Pass", "2H")))
    board = Board.dealt(1, 1)
    table = TableSystem(("natural", "simple", "natural", "neural"))
    read = table.explain(auction, board.vulnerability)
    names: list[SystemName] = ["simple", "neural", "natural"]
    simple, neural, natural = (system(each).explain(auction, board.vulnerability) for each in names)
    assert read == [simple[0], natural[1], neural[2], natural[3], simple[4]]
    assert simple[0] != neural[0]
