"""The bidding systems that a learner meets."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.library.learning.hands import hand_of
from bridge_arena.bots.library.many_auctions.boards import (
    Boards,
    SystemCaller,
    bid_out,
    vulnerability,
)
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.seats import Seat


@pytest.mark.parametrize("name", ["natural", "qtable", "deepq"])
def test_a_system_bids_many_boards_as_one(name: SystemName) -> None:
    boards = Boards.random(np.random.default_rng(8), 20)
    caller, alone = SystemCaller(name), system(name)
    contracts = bid_out(boards, caller, caller)
    for row in range(len(boards)):
        auction = Auction(Seat.NORTH)
        vulnerable = vulnerability(*map(bool, boards.vulnerable[row]))
        while not auction.is_over:
            hand = hand_of(boards.hands[row, auction.turn])
            auction.push(alone.choose(hand, auction, vulnerable).call)
        contract = auction.contract
        if contract is None:
            assert contracts.bid[row] == 0
            continue
        assert contracts.bid[row] == 5 * (contract.level - 1) + contract.denomination + 1
        assert contracts.risk[row] == contract.risk
        assert contracts.declarer[row] == contract.declarer
