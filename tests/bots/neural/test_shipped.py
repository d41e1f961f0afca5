"""The networks that ship, at work."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from bridge_arena.bots.library.many_auctions.boards import (
    Boards,
    SystemCaller,
    Tricks,
    bid_out,
    in_turn,
    match,
)
from bridge_arena.bots.neural.net import shipped
from bridge_arena.bots.neural.system import Neural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.oracle.solved_deals import read
from tests.data import data_path

SOLVED = ("dd", "deals-0056.txt")
"""Neither learned from nor looked at in training."""


@pytest.mark.slow
def test_hands_are_as_explained() -> None:
    """Both sides bid by the networks. Each end of five ranges fails in 0.5 % of hands."""
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
    assert kept > 0.95 * calls


@pytest.fixture(scope="module")
def solved() -> tuple[Boards, Tricks]:
    (found,) = islice(read([data_path(*SOLVED)]), 1)
    return in_turn(found)


@pytest.mark.slow
def test_the_shipped_networks_beat_natural(solved: tuple[Boards, Tricks]) -> None:
    """They win 1.84 IMPs a board, with a standard error of 0.13."""
    won = match(*solved, shipped(), SystemCaller())
    assert won.mean() > 4 * won.std() / np.sqrt(len(won))


@pytest.mark.slow
def test_the_shipped_networks_bid_slams(solved: tuple[Boards, Tricks]) -> None:
    """They bid three fifths of the slams that sides can make; 125 slams make, 47 do not."""
    boards, tricks = solved
    contracts = bid_out(boards, shipped(), shipped())
    most = [tricks[:, :, side::2].max(axis=(1, 2)) for side in (0, 1)]
    bid = (contracts.bid - 1) // 5 + 1 >= 6
    taken = tricks[np.arange(len(boards)), (contracts.bid - 1) % 5, contracts.declarer]
    makes = bid & (taken >= (contracts.bid - 1) // 5 + 7)
    assert makes.sum() > 0.25 * (np.stack(most) >= 12).sum()
    assert (bid & ~makes).sum() < makes.sum()
