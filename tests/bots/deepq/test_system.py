"""The learned bidding as a system."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.bidding import system
from bots.deepq.bot import DeepQBot
from bots.deepq.system import Learned, bids_of, is_agreed
from bots.natural.system import Natural
from bots.registry import UnknownBotError, parse
from bridge.auction import Auction
from bridge.board import random_deal
from bridge.calls import PASS, Call
from bridge.seats import SEATS, Seat, Side, Vulnerability

NONE = Vulnerability("None")


def auction(dealer: str, calls: str) -> Auction:
    return Auction(Seat.parse(dealer), [Call(word) for word in calls.split()])


@pytest.mark.parametrize(
    ("calls", "seat", "bids"),
    [
        ("", "N", []),
        ("Pass", "E", []),
        ("Pass Pass", "S", [0]),
        ("1C Pass", "S", [1]),
        ("1C Pass 1NT Pass", "N", [1, 5]),
        ("Pass Pass 1C Pass Pass", "E", None),
        ("1C Pass Pass", "W", None),
        ("1C Pass Pass Pass", "S", [1, 1]),
        ("Pass 1D Pass", "W", [2]),
        ("1C 1D", "S", None),
        ("1C X Pass Pass", "N", None),
        ("Pass 1C X Pass", "N", None),
    ],
)
def test_the_bids_of_a_side(calls: str, seat: str, bids: list[int] | None) -> None:
    assert bids_of(auction("N", calls), Seat.parse(seat)) == bids


def test_a_bid_is_agreed_to_by_a_pass() -> None:
    assert is_agreed([0, 0])
    assert is_agreed([0, 5, 5])
    assert not is_agreed([0])
    assert not is_agreed([0, 5])


@given(number=st.integers(1, 10_000), dealer=st.sampled_from(SEATS))
@settings(max_examples=60, deadline=None)
def test_two_of_them_bid_legally_to_an_end(number: int, dealer: Seat) -> None:
    bidding, deal = Learned(), random_deal(11, number)
    so_far = Auction(dealer)
    while not so_far.is_over:
        seat = so_far.turn
        if seat.side == Side.EW:
            so_far.push(PASS)
            continue
        made = bidding.choose(deal[seat], so_far, NONE)
        assert made.explanation is not None
        so_far.push(made.call)  # raises where it is not legal
    told = bidding.explain(so_far, NONE)
    assert len(told) == len(so_far.calls)


def test_its_promises_are_mostly_kept() -> None:
    bidding = Learned()
    kept = promised = 0
    for number in range(1, 301):
        deal, so_far = random_deal(5, number), Auction(SEATS[0])
        while not so_far.is_over:
            seat = so_far.turn
            if seat.side == Side.EW:
                so_far.push(PASS)
                continue
            made = bidding.choose(deal[seat], so_far, NONE)
            so_far.push(made.call)
            if made.explanation is not None and made.explanation.hcp is not None:
                promised += 1
                kept += made.explanation.holds_for(deal[seat])
    assert promised > 300
    assert kept / promised > 0.9


def test_it_bids_as_natural_where_opponents_compete() -> None:
    deal = random_deal(5, 3)
    contested = auction("N", "1C 1H")
    assert Learned().choose(deal[Seat.parse("S")], contested, NONE) == Natural().choose(
        deal[Seat.parse("S")], contested, NONE
    )


def test_explanations_are_those_of_the_calls() -> None:
    bidding, deal = Learned(), random_deal(5, 8)
    so_far = auction("E", "Pass")
    made = bidding.choose(deal[so_far.turn], so_far, NONE)
    so_far.push(made.call)
    assert bidding.explain(so_far, NONE)[1] == made.explanation


def test_the_choice_is_the_first_of_its_options() -> None:
    bidding = Learned()
    several = 0
    for number in range(1, 41):
        hand, so_far = random_deal(6, number)[SEATS[0]], Auction(SEATS[0])
        options = bidding.options(hand, so_far, NONE)
        assert options[0] == bidding.choose(hand, so_far, NONE)
        several += len(options) > 1
    assert several > 5


def test_the_bot_and_its_option() -> None:
    assert isinstance(system("deepq"), Learned)
    shipped, make = parse("deepq:worlds=20")
    assert shipped.name == "deepq"
    assert isinstance(make(), DeepQBot)
    with pytest.raises(UnknownBotError, match="worlds is -1"):
        parse("deepq:worlds=-1")
