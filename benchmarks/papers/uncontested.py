"""Bid by a bidding system while the opponents pass."""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.learning.hands import Hands, hand_of
from bridge_arena.bots.qtable.calls import contract_of
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.seats import Seat, Vulnerability


def contracts_by_system(bidder: System, hands: Hands, partners: Hands) -> Iterator[int]:
    """Yield the contracts of pairs of hands, 0 to 35; the first hand deals, not vulnerable."""
    for first, second in zip(hands, partners, strict=True):
        held = {Seat.NORTH: hand_of(first), Seat.SOUTH: hand_of(second)}
        auction = Auction(Seat.NORTH)
        while not auction.is_over:
            hand = held.get(auction.turn)
            call = PASS
            if hand is not None:
                call = bidder.call(hand, auction, Vulnerability.NONE)
            auction.push(call)
        bids = [call for call in auction.calls if call.is_bid]
        yield contract_of(bids[-1]) if bids else 0
