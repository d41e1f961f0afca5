"""Tests of the meanings of calls when `natural` continues after a learned system."""

from __future__ import annotations

import pytest

from bridge_arena.bots.library.learning.learned_system import continued
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Suit
from bridge_arena.bridge.explanation import Explanation, Range
from bridge_arena.bridge.seats import Seat, Vulnerability

NONE = Vulnerability.NONE
LIGHT = Explanation("learned", (4, 18), {Suit.SPADES: (5, 8), Suit.HEARTS: (0, 5)})


def auction(calls: str) -> Auction:
    return Auction(Seat.NORTH, [Call(word) for word in calls.split()])


def after_opening(calls: str, opening: Explanation) -> Explanation:
    """Return the meaning of the last call, when the first call is a learned one."""
    made = auction(calls)
    return continued(made, NONE, [opening, *[None] * (len(made.calls) - 1)])[-1]


def test_an_auction_without_learned_calls_is_read_as_natural_reads_it() -> None:
    made = auction("1S X Pass 2H 2S")
    assert continued(made, NONE, [None] * 5) == Natural().explain(made, NONE)


def test_learned_calls_tell_what_was_measured() -> None:
    other = Explanation("learned", (0, 9), {Suit.CLUBS: (0, 6)})
    assert continued(auction("1S Pass 1NT"), NONE, [LIGHT, None, other])[::2] == [LIGHT, other]


def test_what_is_not_measured_repeats_what_was_told_before() -> None:
    rare = Explanation("rare", forcing=True)
    told = continued(auction("1S Pass 2C Pass 2D"), NONE, [LIGHT, None, rare, None, rare])
    assert told[2] == rare
    assert told[4] == Explanation("rare", LIGHT.hcp, LIGHT.lengths, forcing=True)


def test_calls_that_are_not_learned_are_read_by_natural() -> None:
    made = auction("1S 2H 2S")
    assert continued(made, NONE, [LIGHT, None, None])[1:] == Natural().explain(made, NONE)[1:]


def test_a_call_that_adds_nothing_promises_what_was_measured() -> None:
    """By `natural` the last pass keeps the 10 to 21 points of the opening."""
    (*_, reading) = Natural().explain(auction("1S X Pass Pass Pass"), NONE)
    assert reading.hcp == (10, 21)
    told = after_opening("1S X Pass Pass Pass", LIGHT)
    assert told == Explanation(reading.text, LIGHT.hcp, LIGHT.lengths)


@pytest.mark.parametrize(
    ("calls", "hcp", "spades"),
    [
        ("1S 2H Pass Pass 2S", (4, 18), (6, 8)),  # a sixth spade
        ("1S 2H 2S Pass 4S", (17, 18), (5, 8)),  # a hand worth game
        ("1S 2H 2S Pass 4S X Pass Pass Pass", (17, 18), (5, 8)),  # that it was worth game stays
    ],
)
def test_a_call_adds_what_natural_needs_for_it(calls: str, hcp: Range, spades: Range) -> None:
    told = after_opening(calls, LIGHT)
    assert (told.hcp, told.lengths[Suit.SPADES]) == (hcp, spades)


def test_where_they_contradict_each_other_the_later_is_believed() -> None:
    short = Explanation("learned", (4, 16), {Suit.SPADES: (0, 3)})
    assert after_opening("1S 2H Pass Pass 2S", short).lengths == {Suit.SPADES: (6, 13)}


def test_a_range_that_every_hand_keeps_is_no_promise() -> None:
    empty = Explanation("learned", (0, 37), dict.fromkeys(Suit, (0, 13)))
    assert continued(auction("1S"), NONE, [empty]) == [Explanation("learned")]
