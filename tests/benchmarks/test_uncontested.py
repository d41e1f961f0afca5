"""Tests of the bids of a system when the opponents pass."""

from __future__ import annotations

from benchmarks.uncontested import contracts_by_system
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bridge.cards import Hand

WEAK = Hand.parse("5432.432.432.432")
STRONG = Hand.parse("AKQ.KQ5.K865.T97")
PARTNER = Hand.parse("876.AJ7.AJ9.Q864")


def test_contracts_of_uncontested_auctions_are_numbers() -> None:
    hands, partners = hands_array([WEAK, STRONG]), hands_array([PARTNER, PARTNER])
    three_notrump = 2 * 5 + 4 + 1
    bid = list(contracts_by_system(system("natural"), hands, partners))
    assert bid[1] == three_notrump
    assert 0 <= bid[0] < three_notrump


def test_two_weak_hands_pass_out() -> None:
    other = Hand.parse("T98.T98.T98.T987")
    bid = contracts_by_system(system("natural"), hands_array([WEAK]), hands_array([other]))
    assert list(bid) == [0]
