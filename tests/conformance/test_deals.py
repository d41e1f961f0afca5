"""The deals lead the bot, in South, to the situations that they are made for."""

from __future__ import annotations

from bridge_arena.bridge.calls import Call, Denomination
from bridge_arena.bridge.cards import Suit
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.game import CROSS_RUFF, LAY_DOWN, NOTHING, TWO_VOIDS, calls
from bridge_arena.oracle.pool import Oracle


def test_the_deals_with_voids_have_them() -> None:
    assert CROSS_RUFF[Seat.SOUTH].length(Suit.CLUBS) == 0
    assert CROSS_RUFF[Seat.NORTH].length(Suit.DIAMONDS) == 0
    assert min(CROSS_RUFF[seat].length(Suit.SPADES) for seat in (Seat.SOUTH, Seat.NORTH)) >= 4
    assert {TWO_VOIDS[Seat.SOUTH].length(suit) for suit in (Suit.HEARTS, Suit.CLUBS)} == {0}
    assert TWO_VOIDS[Seat.SOUTH].length(Suit.DIAMONDS) == 4


def test_the_deal_with_nothing_to_bid_on_has_no_point() -> None:
    assert hcp(NOTHING[Seat.SOUTH]) == 0


async def test_all_tricks_of_the_deal_to_claim_are_souths() -> None:
    with Oracle() as oracle:
        [table] = await oracle.tables([LAY_DOWN])
    assert table.tricks(Denomination.NOTRUMP, Seat.SOUTH) == 13


def test_auctions_are_read_from_one_line() -> None:
    assert [made.call for made in calls("1H X P")] == [Call("1H"), Call("X"), Call("Pass")]
    assert calls("") == ()
