"""Find contracts for pairs of hands whose opponents pass."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.learning.hands import Hands, hand_of
from bridge_arena.bots.library.learning.scores import expected_points
from bridge_arena.bots.library.tricks.net import shipped as shipped_tricks
from bridge_arena.bots.qtable.calls import contract_of
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.seats import Seat, Vulnerability

Contracts = NDArray[np.int64]
"""Contracts by number: 0 for Pass, 1 to 35 in the order of the bids."""


def best_known(hands: Hands, partners: Hands) -> Contracts:
    """Return the contracts with the most expected points, by the estimate of tricks.

    The hand that takes more tricks declares.
    """
    chances = shipped_tricks().estimate(hands, partners).distribution()
    best: Contracts = expected_points(chances).max(axis=1).argmax(axis=1)
    return best


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
