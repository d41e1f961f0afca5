"""The learned bidding as a system, with networks of random weights."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.bidding_matches import bid_out
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.neural.meanings import SELDOM, explanations
from bridge_arena.bots.neural.net import LENGTHS, POINTS, SHOWN, Nets
from bridge_arena.bots.neural.system import Neural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import SUITS
from bridge_arena.bridge.seats import Seat, Vulnerability
from tests.bots.neural.nets import nets


def test_it_bids_as_the_networks_do() -> None:
    net = nets(4)
    system = Neural(net)
    own = [Board.dealt(2, number) for number in range(1, 17)]
    contracts = bid_out(Boards.of(own), net, net)
    for row, board in enumerate(own):
        auction = Auction(board.dealer)
        while not auction.is_over:
            hand = board.deal[auction.turn]
            auction.push(system.choose(hand, auction, board.vulnerability).call)
        contract = auction.contract
        if contract is None:
            assert contracts.bid[row] == 0
            continue
        assert contracts.bid[row] == 5 * (contract.level - 1) + contract.denomination + 1
        assert contracts.declarer[row] == (contract.declarer - board.dealer) % 4
        assert contracts.risk[row] == contract.risk


@pytest.mark.parametrize("calls", [[], ["1C", "X"], ["Pass", "1H", "Pass", "2H", "3C", "X"]])
def test_options_begin_with_the_choice_and_are_legal(calls: list[str]) -> None:
    system = Neural(nets(5))
    board = Board.dealt(2, 3)
    auction = Auction(Seat.EAST, map(Call, calls))
    hand = board.deal[auction.turn]
    options = system.options(hand, auction, Vulnerability.EW)
    assert options[0] == system.choose(hand, auction, Vulnerability.EW)
    assert all(auction.is_legal(each.call) for each in options)
    assert len({each.call for each in options}) == len(options)


def test_a_call_is_explained_as_it_was_made() -> None:
    system = Neural(nets(7))
    auction = Auction(Seat.SOUTH)
    assert system.explain(auction, Vulnerability.NS) == []
    board = Board.dealt(2, 5)
    told = []
    for _ in range(4):
        made = system.choose(board.deal[auction.turn], auction, Vulnerability.NS)
        told.append(made.explanation)
        auction.push(made.call)
    assert system.explain(auction, Vulnerability.NS) == told


def test_auctions_read_together_are_read_as_alone() -> None:
    system, alone = Neural(nets(7)), Neural(nets(7))
    auctions = [
        (Auction(dealer, [Call(call) for call in calls.split()]), vulnerability)
        for dealer, calls, vulnerability in (
            (Seat.SOUTH, "1C Pass 1H Pass 1NT", Vulnerability.NS),
            (Seat.SOUTH, "1C Pass 1H Pass 1NT", Vulnerability.EW),
            (Seat.WEST, "Pass 1S X", Vulnerability.NONE),
            (Seat.WEST, "", Vulnerability.NONE),
            (Seat.WEST, "Pass 1S X", Vulnerability.NONE),
        )
    ]
    system.read_many(auctions)
    for each in (*auctions, (Auction(Seat.NORTH, [Call("3NT")]), Vulnerability.ALL)):
        assert system.explain(*each) == alone.explain(*each)
    system.read_many([])
    assert system.explain(*auctions[0]) == alone.explain(*auctions[0])


class Shows(Nets):
    """Says that a hand is as the test tells it: points, then lengths, with their odds."""

    def __init__(self, odds: list[dict[int, float]]) -> None:
        super().__init__({})
        self._logits = np.full((1, SHOWN), -50.0, np.float32)
        starts = [0, *range(POINTS, SHOWN, LENGTHS)]
        for start, each in zip(starts, odds, strict=True):
            for value, odd in each.items():
                self._logits[0, start + value] = np.log(odd)

    def shown(self, seen: NDArray[np.uint8]) -> NDArray[np.float32]:
        return self._logits.repeat(len(seen), axis=0)


def test_ranges_leave_out_what_is_seldom() -> None:
    rare = SELDOM / 2
    odds = [{11: rare, 12: 0.5, 15: 0.5}, {2: 1.0}, {13: 1.0}, {0: 0.5, 5: 0.5}, {3: 0.9, 4: 0.1}]
    (found,) = explanations(Shows(odds), [CALLS[3]], np.zeros((1, 1), np.uint8))
    assert found.hcp == (12, 15)
    assert found.lengths == dict(zip(SUITS, [(2, 2), (13, 13), (0, 5), (3, 4)], strict=True))
    assert found.artificial
    (found,) = explanations(Shows(odds), [CALLS[6]], np.zeros((1, 1), np.uint8))
    assert not found.artificial
    (found,) = explanations(Shows(odds), [CALLS[1]], np.zeros((1, 1), np.uint8))
    assert not found.artificial
