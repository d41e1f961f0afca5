"""Tests of the substitute for a player who fails to play."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.cards import PACK, Card, Hand
from bridge_arena.bridge.record import FaultKind
from bridge_arena.server.faults import SeatFault, substitute_card


@pytest.mark.parametrize(
    ("hand", "lowest"),
    [
        ("AK.32.A.K", "H2"),
        ("2.2.2.2", "C2"),
        ("2.2.2.A", "D2"),
        ("2.2.A.A", "H2"),
        ("A.K.Q.J", "CJ"),
        ("A...", "SA"),
    ],
)
def test_the_lowest_card_is_by_rank_then_clubs_diamonds_hearts_spades(
    hand: str, lowest: str
) -> None:
    assert substitute_card(Hand.parse(hand)) == Card(lowest)


def test_the_whole_pack_has_an_order_of_substitutes() -> None:
    left, order = PACK, []
    while left:
        lowest = substitute_card(left)
        order.append(str(lowest))
        left = left.without(lowest)
    assert order == [suit + rank for rank in "23456789TJQKA" for suit in "CDHS"]


def test_a_fault_says_what_it_is() -> None:
    fault = SeatFault(FaultKind.STALL, "does not read")
    assert str(fault) == "stall: does not read"
    assert (fault.kind, fault.detail) == (FaultKind.STALL, "does not read")
