"""The networks that ship, at work."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from bridge_arena.bots.library.many_auctions.bidding_matches import match
from bridge_arena.bots.library.many_auctions.boards import in_turn
from bridge_arena.bots.neural.field import SystemCaller
from bridge_arena.bots.neural.net import shipped
from bridge_arena.bots.neural.system import Neural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.oracle.solved_deals import read
from tests.data import data_path

SOLVED = ("dd", "deals-0056.txt")
"""Neither learned from nor looked at in training."""


def test_hands_are_as_explained() -> None:
    """Both sides bid by the networks. Each end of five ranges fails in 0.2 % of hands."""
    system = Neural()
    calls = kept = 0
    for number in range(1, 41):
        board = Board.dealt(99, number)
        auction = Auction(board.dealer)
        while not auction.is_over:
            hand = board.deal[auction.turn]
            made = system.choose(hand, auction, board.vulnerability)
            assert made.explanation is not None
            calls += 1
            kept += made.explanation.holds_for(hand)
            auction.push(made.call)
    assert calls > 200
    assert kept > 0.97 * calls


@pytest.mark.slow
def test_they_beat_natural() -> None:
    """It wins 1.25 IMPs a board, with a standard error of 0.15."""
    (solved,) = islice(read([data_path(*SOLVED)]), 1)
    boards, tricks = in_turn(solved)
    won = match(boards, tricks, shipped(), SystemCaller())
    assert won.mean() > 2 * won.std() / np.sqrt(len(won))
