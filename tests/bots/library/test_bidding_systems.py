"""What holds for every bidding system."""

from __future__ import annotations

from typing import get_args

import pytest

from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board


@pytest.mark.slow
@pytest.mark.parametrize("name", get_args(SystemName))
def test_the_call_alone_is_the_one_that_is_explained(name: SystemName) -> None:
    bidder = system(name)
    contested = 0
    for number in range(1, 17):
        board = Board.dealt(17, number)
        auction = Auction(board.dealer)
        while not auction.is_over:
            known = board.deal[auction.turn], auction, board.vulnerability
            call = bidder.call(*known)
            assert bidder.choose(*known).call == call
            assert bidder.options(*known)[0].call == call
            auction.push(call)
        contested += len({place % 2 for place, call in enumerate(auction.calls) if call.is_bid}) > 1
    assert contested > 2
