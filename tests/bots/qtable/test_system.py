"""The learned system at the table."""

from __future__ import annotations

import pytest

from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bots.qtable.bidding_table import shipped
from bridge_arena.bots.qtable.calls import call_of
from bridge_arena.bots.qtable.system import QTable
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability

NONE = Vulnerability.NONE
OPENER = Hand.parse("A2.KQ432.K32.432")
RESPONDER = Hand.parse("KQ43.A876.A54.65")


@pytest.fixture(scope="module")
def learned() -> QTable:
    return QTable()


def auction(text: str, dealer: Seat = Seat.EAST) -> Auction:
    return Auction(dealer, [Call(word) for word in text.split()])


def told(learned: QTable, text: str) -> list[str]:
    return [str(each) for each in learned.explain(auction(text), NONE)]


def natural(text: str, hand: Hand) -> MadeCall:
    return Natural().choose(hand, auction(text), NONE)


def test_bots_take_the_system_by_name() -> None:
    assert isinstance(system("qtable"), QTable)


@pytest.mark.parametrize("before", ["", "Pass"])
def test_whoever_is_first_of_a_side_opens_the_sequence(learned: QTable, before: str) -> None:
    made = learned.choose(OPENER, auction(before), NONE)
    assert made.call == Call("1H")
    assert made.explanation is not None
    assert made.explanation.holds_for(OPENER)


@pytest.mark.parametrize("before", ["Pass Pass", "Pass Pass Pass"])
def test_partner_of_who_passed_is_the_responder(learned: QTable, before: str) -> None:
    hand = Hand.parse("AK2.AQJ43.KQ2.32")
    step = shipped().step((0,), hands_array([hand]))
    assert step
    assert learned.choose(hand, auction(before), NONE).call == call_of(step)


def test_both_partners_go_on_while_the_opponents_pass(learned: QTable) -> None:
    so_far = auction("1H Pass")
    made = learned.choose(RESPONDER, so_far, NONE)
    assert made.call.is_bid
    assert made.explanation == learned.explain(auction(f"1H Pass {made.call}"), NONE)[-1]
    assert made.explanation is not None
    assert made.alert == made.explanation.artificial


def test_an_auction_comes_to_an_end(learned: QTable) -> None:
    """Four players bid random deals, and each explanation is the one that was sent."""
    for number in range(1, 60):
        board = Board.dealt(7, number)
        so_far = Auction(board.dealer)
        said: list[str] = []
        while not so_far.is_over:
            made = learned.choose(board.deal[so_far.turn], so_far, board.vulnerability)
            so_far.push(made.call)
            said.append(str(made.explanation))
        assert said == [str(each) for each in learned.explain(so_far, board.vulnerability)]


@pytest.mark.parametrize(
    "text", ["1H 2C", "1H Pass 2H 3C Pass Pass", "1C 1H X Pass", "1S Pass 5H Pass", "2C X"]
)
def test_natural_bids_in_competition_and_off_the_table(learned: QTable, text: str) -> None:
    turn = auction(text).turn
    hand = OPENER if turn.side == Seat.EAST.side else RESPONDER
    assert learned.choose(hand, auction(text), NONE).call == natural(text, hand).call


def test_opponents_calls_are_read_as_natural(learned: QTable) -> None:
    text = "1H 2C Pass 3C"
    assert (
        told(learned, text)[1:]
        == [str(each) for each in Natural().explain(auction(text), NONE)][1:]
    )


def test_after_four_calls_the_system_passes(learned: QTable) -> None:
    assert learned.choose(OPENER, auction("1C Pass 1H Pass 1S Pass 2C Pass"), NONE).call == PASS


def test_hidden_hands_change_nothing(learned: QTable) -> None:
    """A call depends only on the own hand and the auction, also for another system of the same
    table.
    """
    again = QTable()
    for hand in (OPENER, RESPONDER):
        assert learned.choose(hand, auction("1H Pass"), NONE) == again.choose(
            hand, auction("1H Pass"), NONE
        )


def test_openings_promise_what_the_table_says(learned: QTable) -> None:
    (major,) = learned.explain(auction("1S"), NONE)
    assert major.lengths[next(suit for suit in major.lengths if suit.letter == "S")][0] == 5
    (weak_or_strong,) = learned.explain(auction("2D"), NONE)
    assert weak_or_strong.artificial


def test_promises_of_the_table_still_stand_in_competition(learned: QTable) -> None:
    """2C is 20 points and more by the table, and by `natural` 19 and any length."""
    told = learned.explain(auction("2C 2S X 3S Pass"), NONE)
    assert (told[4].hcp, told[4].lengths) == (told[0].hcp, told[0].lengths)
    assert told[1] == Natural().explain(auction("2C 2S"), NONE)[1]


def test_a_pass_after_the_last_call_of_the_table_adds_nothing(learned: QTable) -> None:
    *before, last = learned.explain(auction("1C Pass 1H Pass 1S Pass 2C Pass Pass"), NONE)
    assert last.text == "the auction is over"
    assert (last.hcp, last.lengths) == (before[4].hcp, before[4].lengths)
