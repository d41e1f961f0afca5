"""The calls that fit a hand: each is legal, and says nothing wrong of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.disciplined.choices import READ, choices_of, fitting
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.many_auctions.auctions import Auctions, Turns
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.natural.facts import facts
from bridge_arena.bots.natural.system import Natural, menu_at
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import Seat, Vulnerability

NATURAL = Natural()


def calls(hand: str, made: str = "") -> list[str]:
    """Return the calls that fit a hand after the calls made, natural's first."""
    auction = Auction(Seat.NORTH, map(Call, made.split()))
    menu = menu_at(auction, Vulnerability.NONE)
    return [str(call) for call in fitting(menu, facts(Hand.parse(hand)))]


@given(number=st.integers(1, 10_000), choices=st.lists(st.integers(0, 5), max_size=16))
def test_every_call_is_legal_and_says_nothing_wrong(number: int, choices: list[int]) -> None:
    """In auctions in which any call that fits may be made."""
    board = Board.dealt(7, number)
    auction = Auction(board.dealer)
    for choice in choices:
        if auction.is_over:
            break
        hand = board.deal[auction.turn]
        menu = menu_at(auction, board.vulnerability)
        fits = fitting(menu, facts(hand))
        assert fits[0] == NATURAL.call(hand, auction, board.vulnerability)
        assert len(set(fits)) == len(fits)
        for call in fits[1:]:
            assert auction.is_legal(call)
            after = Auction(auction.dealer, [*auction.calls, call])
            assert NATURAL.explain(after, board.vulnerability)[-1].holds_for(hand)
        auction.push(fits[choice % len(fits)])


@pytest.mark.parametrize(
    ("hand", "made", "passes"),
    [
        ("AKJ76.K54.A32.65", "", False),  # 15 points open
        ("KJ765.K54.A32.65", "", True),  # 11 points, which pass
        ("AJ765.K54.A32.65", "", True),  # 12 points: with two fewer the rules would pass
        ("K54.A432.65.J762", "1H Pass", False),  # support for partner
        ("KJ765.K54.A32.65", "1D", True),  # nobody must overcall
    ],
)
def test_who_opens_or_answers_by_the_card_does_not_pass(
    hand: str, made: str, *, passes: bool
) -> None:
    assert ("Pass" in calls(hand, made)) == passes


def test_a_first_bid_is_one_that_a_rule_makes_with_nearly_this_hand() -> None:
    assert calls("KJ765.K54.K32.65") == ["Pass", "1S"]
    assert calls("QJ765.K54.K32.65") == ["Pass"]


def test_a_later_call_needs_no_rule_if_what_it_tells_is_true() -> None:
    fits = calls("AKJ76.K54.A32.65", "1S 2C Pass Pass")
    assert set(fits) == {"X", "Pass", "4S"}
    assert "3D" not in fits  # it would show four diamonds


@pytest.mark.parametrize(
    ("hand", "made", "call"),
    [
        ("AK862.T95.AT64.4", "1S Pass 4NT Pass", "5S"),  # it would tell of the queen of trumps
        ("T7.AJT965.4.AT82", "2H Pass 2NT Pass", "3D"),  # values in diamonds
        ("Q93.74.T7.QJT854", "2C Pass 2D Pass 2NT Pass", "3C"),  # Stayman
    ],
)
def test_an_artificial_call_is_one_that_a_rule_makes(hand: str, made: str, call: str) -> None:
    assert call not in calls(hand, made)


def test_a_sign_off_is_left_as_the_rules_leave_it() -> None:
    assert calls("AKJ76.K54.A32.65", "1S Pass 4S Pass") == ["Pass"]


def test_a_force_is_obeyed() -> None:
    assert "Pass" not in calls("AKJ76.K54.A32.65", "1S Pass 2D Pass")


def test_choices_are_those_of_the_turns_that_have_one() -> None:
    boards = Boards.of(Board.dealt(3, number) for number in range(1, 40))
    number = len(boards)
    turns = Turns(
        boards.hands[:, 0], Auctions(number), boards.vulnerable, np.zeros(number, np.int64)
    )
    natural, rows, choices = choices_of(turns)
    assert len(choices) == len(rows) < number
    assert choices.read.shape == (len(rows), READ)
    for row, hand, auction, vulnerability in turns.in_order():
        fits = fitting(menu_at(auction, vulnerability), facts(hand))
        assert natural[row] == fits[0]
        (at,) = np.nonzero(rows == row)
        assert len(at) == (len(fits) > 1)
        for place in at:
            assert np.array_equal(choices.hands[place], hands_array([hand])[0])
            assert choices.natural[place] == fits[0]
            assert set(np.flatnonzero(choices.fitting[place])) == set(map(int, fits))
