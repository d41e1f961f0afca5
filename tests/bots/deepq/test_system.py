"""The learned bidding as a system."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.deepq.bot import DeepQBot
from bridge_arena.bots.deepq.system import Learned, bids_of, is_agreed
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability

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
def test_a_side_bids_as_the_networks_say(calls: str, seat: str, bids: list[int] | None) -> None:
    assert bids_of(auction("N", calls), Seat.parse(seat)) == bids


def test_a_bid_is_agreed_to_by_a_pass() -> None:
    assert is_agreed([0, 0])
    assert is_agreed([0, 5, 5])
    assert not is_agreed([0])
    assert not is_agreed([0, 5])


@given(number=st.integers(1, 10_000), dealer=st.sampled_from(SEATS))
def test_two_learned_partnerships_bid_legally_to_an_end(number: int, dealer: Seat) -> None:
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


def test_the_promises_of_learned_calls_are_kept() -> None:
    bidding = Learned()
    kept: list[bool] = []
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
                kept.append(made.explanation.holds_for(deal[seat]))
    assert len(kept) > 700
    assert sum(kept) / len(kept) > 0.985


def test_the_promises_of_learned_calls_are_kept_in_competition() -> None:
    """`natural` reads its openings as ten points or more, so an opener by the networks continues by
    them.
    """
    bidding, natural = Learned(), Natural()
    kept: list[bool] = []
    for number in range(1, 201):
        board = Board.dealt(5, number)
        so_far, has_bid = Auction(board.dealer), set[Seat]()
        while not so_far.is_over:
            seat = so_far.turn
            if seat.side == Side.EW:
                so_far.push(natural.choose(board.deal[seat], so_far, board.vulnerability).call)
                continue
            made = bidding.choose(board.deal[seat], so_far, board.vulnerability)
            assert made.explanation is not None
            if bids_of(so_far, seat) is not None:
                has_bid.add(seat)
            elif seat in has_bid and (made.explanation.hcp or made.explanation.lengths):
                kept.append(made.explanation.holds_for(board.deal[seat]))
            so_far.push(made.call)
    assert len(kept) > 150
    assert sum(kept) / len(kept) > 0.97


def test_a_light_opening_stays_light_when_opponents_double() -> None:
    bidding, hand = Learned(), Hand.parse("JT9754.QT75.A.JT")
    opening = bidding.choose(hand, auction("N", ""), NONE)
    assert opening.call == Call("1S")
    assert opening.explanation is not None
    later = bidding.choose(hand, auction("N", "1S X Pass Pass"), NONE)
    assert later.call == PASS
    assert later.explanation is not None
    assert later.explanation.hcp == opening.explanation.hcp
    assert later.explanation.lengths == opening.explanation.lengths


def test_a_rare_call_repeats_what_was_told_before() -> None:
    told = Learned().explain(auction("N", "1D Pass 7C Pass 7D"), NONE)
    assert told[2] == Explanation("rare in the learned system")
    assert told[4].text == told[2].text
    assert (told[4].hcp, told[4].lengths) == (told[0].hcp, told[0].lengths)


def test_deepq_bids_as_natural_where_opponents_compete() -> None:
    deal = random_deal(5, 3)
    contested = auction("N", "1C 1H")
    assert Learned().choose(deal[Seat.parse("S")], contested, NONE) == Natural().choose(
        deal[Seat.parse("S")], contested, NONE
    )


def test_explanations_are_those_of_the_calls() -> None:
    bidding = Learned()
    for number in range(1, 41):
        board = Board.dealt(8, number)
        so_far, made = Auction(board.dealer), list[MadeCall]()
        while not so_far.is_over:
            options = bidding.options(board.deal[so_far.turn], so_far, board.vulnerability)
            made.append(options[0])
            so_far.push(options[0].call)
        told = bidding.explain(so_far, board.vulnerability)
        assert told == [each.explanation for each in made]


def test_the_choice_is_the_first_of_its_options() -> None:
    bidding = Learned()
    several = 0
    for number in range(1, 41):
        hand, so_far = random_deal(6, number)[SEATS[0]], Auction(SEATS[0])
        options = bidding.options(hand, so_far, NONE)
        assert options[0] == bidding.choose(hand, so_far, NONE)
        several += len(options) > 1
    assert several > 5


def test_the_system_and_the_bot_are_found_by_name() -> None:
    assert isinstance(system("deepq"), Learned)
    shipped, make = parse("deepq:worlds=20")
    assert shipped.name == "deepq"
    assert isinstance(make(), DeepQBot)
    for worlds in (-1, 19):
        with pytest.raises(UnknownBotError, match=f"{worlds} worlds are too few to search in"):
            parse(f"deepq:worlds={worlds}")
