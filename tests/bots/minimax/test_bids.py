"""Tests of which suits count as bid naturally."""

from __future__ import annotations

import pytest

from bridge_arena.bots.minimax.bids import natural_suits
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat


def natural(auction: str) -> list[str]:
    """The suits of N, E, S, W when North dealt."""
    calls = [MadeCall(Call(text)) for text in auction.split()]
    suits = natural_suits(Seat.NORTH, calls)
    return ["".join(suit.letter for suit in sorted(each)) for each in suits]


@pytest.mark.parametrize(
    ("auction", "suits"),
    [
        ("", ["", "", "", ""]),
        ("1S Pass 2S Pass", ["S", "", "S", ""]),
        ("1C 1H 1S 2D 2C", ["C", "H", "S", "D"]),
        ("1D Pass 1H Pass 1S Pass 4H", ["DS", "", "H", ""]),
        ("2D Pass 3D", ["D", "", "D", ""]),
        ("1NT 2C", ["", "C", "", ""]),
        ("1S Pass 4S", ["S", "", "S", ""]),
        ("Pass 4H 5C", ["", "H", "C", ""]),
        ("3C Pass Pass 3H Pass 4H", ["C", "H", "", "H"]),
        # The notrump of a later bid asks nothing.
        ("1D Pass 1S Pass 1NT Pass 2H", ["D", "", "HS", ""]),
        # Over notrump, two levels higher is natural.
        ("1NT Pass 3S Pass 4S", ["S", "", "S", ""]),
        ("1NT Pass 4H", ["", "", "H", ""]),
    ],
)
def test_a_bid_of_a_suit_shows_the_suit(auction: str, suits: list[str]) -> None:
    assert natural(auction) == suits


@pytest.mark.parametrize(
    ("auction", "suits"),
    [
        # The strong opening and what waits.
        ("2C Pass 2D Pass 2H", ["H", "", "", ""]),
        ("Pass Pass 2C Pass 2D Pass 2S", ["", "", "S", ""]),
        # Stayman and transfers, and the answers.
        ("1NT Pass 2C Pass 2H", ["", "", "", ""]),
        ("1NT Pass 2D Pass 2H Pass 3C", ["", "", "C", ""]),
        ("1NT Pass 2H Pass 3S", ["", "", "", ""]),
        ("2NT Pass 3C Pass 3D", ["", "", "", ""]),
        ("1S 1NT Pass 2D Pass 2H", ["S", "", "", ""]),
        # Aces.
        ("1S Pass 4NT Pass 5D", ["S", "", "", ""]),
        ("1S Pass 4NT Pass 5D Pass 5NT Pass 6C", ["S", "", "", ""]),
        # Cue bids.
        ("1H 2H", ["H", "", "", ""]),
        ("1C 1S Pass 2C", ["C", "S", "", ""]),
        # Controls and splinters.
        ("1S Pass 3S Pass 4C Pass 4D", ["S", "", "S", ""]),
        ("1S Pass 4C", ["S", "", "", ""]),
    ],
)
def test_conventions_do_not_show_the_suit_that_they_name(auction: str, suits: list[str]) -> None:
    assert natural(auction) == suits


def test_a_bid_that_is_explained_as_artificial_shows_no_suit() -> None:
    calls = [MadeCall(Call("1C"), explanation=Explanation("16+", (16, 37), artificial=True))]
    assert natural_suits(Seat.EAST, calls) == (frozenset(),) * 4


def test_the_dealer_calls_first() -> None:
    suits = natural_suits(Seat.WEST, [MadeCall(Call("Pass")), MadeCall(Call("1H"))])
    assert [len(each) for each in suits] == [1, 0, 0, 0]
