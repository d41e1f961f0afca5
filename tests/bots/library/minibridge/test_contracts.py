"""MiniBridge deals and their contracts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.minibridge.game import as_declared, random_deal, target_tricks
from bridge_arena.bridge.cards import PACK, Deal, Hand
from bridge_arena.bridge.evaluation import hcp

TABLE = {
    **dict.fromkeys((21, 22), 7),
    **dict.fromkeys((23, 24), 8),
    **dict.fromkeys((25, 26), 9),
    **dict.fromkeys((27, 28), 10),
    **dict.fromkeys((29, 30, 31, 32), 11),
    **dict.fromkeys((33, 34, 35, 36), 12),
    **dict.fromkeys((37, 38, 39, 40), 13),
}
"""The paper's table 4.1, notrump."""


def test_contracts_are_those_of_the_papers_table() -> None:
    assert {points: target_tricks(points) for points in range(21, 41)} == TABLE


def test_no_contract_with_half_of_the_points() -> None:
    with pytest.raises(ValueError, match="20 points does not declare"):
        target_tricks(20)


@given(st.integers(0, 2**32))
def test_the_stronger_hand_of_the_stronger_side_declares(seed: int) -> None:
    deal = random_deal(Random(seed))
    assert sum(deal.hands) == PACK.mask
    assert [hand.bit_count() for hand in deal.hands] == [13] * 4
    declarer, left, dummy, right = (hcp(Hand(hand)) for hand in deal.hands)
    assert declarer >= dummy
    assert declarer + dummy > left + right
    assert deal.target == TABLE[declarer + dummy]


def masks(text: str) -> tuple[int, int, int, int]:
    north, east, south, west = (hand.mask for hand in Deal.parse(text).hands)
    return north, east, south, west


def test_hands_stand_in_turns_from_declarer() -> None:
    north, east, south, west = masks(
        "N:5432.5432.5432.5 AKQJ.K.AJ6.AQJT9 T987.T987.T987.6 6.AQJ6.KQ.K87432"
    )
    deal = as_declared((north, east, south, west))
    assert deal is not None
    assert deal.hands == (east, south, west, north)
    assert deal.target == 13


def test_nobody_declares_with_twenty_each() -> None:
    hands = masks("N:AK2.K432.A32.432 Q43.AQ5.K54.KQ65 JT9.JT9.QJT9.JT9 8765.876.876.A87")
    assert as_declared(hands) is None
