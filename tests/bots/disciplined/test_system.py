"""The system: it chooses among natural's calls, and explains them as natural does."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.disciplined.choices import fitting
from bridge_arena.bots.disciplined.system import Disciplined
from bridge_arena.bots.library.many_auctions.boards import Boards, SystemCaller, bid_out
from bridge_arena.bots.natural.facts import facts
from bridge_arena.bots.natural.system import Natural, menu_at
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from tests.bots.disciplined.nets import net


def test_many_boards_are_bid_as_one_by_one() -> None:
    system = Disciplined(net(1))
    boards = [Board.dealt(2, number) for number in range(1, 17)]
    caller = SystemCaller(system)
    contracts = bid_out(Boards.of(boards), caller, caller)
    differs = False
    for row, board in enumerate(boards):
        auction = Auction(board.dealer)
        while not auction.is_over:
            hand = board.deal[auction.turn]
            made = system.choose(hand, auction, board.vulnerability)
            menu = menu_at(auction, board.vulnerability)
            assert made.call in fitting(menu, facts(hand))
            assert made == menu.made(made.call)
            differs |= made.call != menu.choose(facts(hand))
            auction.push(made.call)
        contract = auction.contract
        if contract is None:
            assert contracts.bid[row] == 0
        else:
            assert contracts.bid[row] == 5 * (contract.level - 1) + contract.denomination + 1
            assert contracts.declarer[row] == (contract.declarer - board.dealer) % 4
        explained = system.explain(auction, board.vulnerability)
        assert explained == Natural().explain(auction, board.vulnerability)
    assert differs


def test_options_are_what_is_worth_nearly_as_much() -> None:
    system = Disciplined(net(2))
    numbers = []
    for number in range(1, 100):
        board = Board.dealt(4, number)
        turn = board.deal[board.dealer], Auction(board.dealer), board.vulnerability
        worth = system.weigh(*turn)
        options = system.options(*turn)
        assert options[0] == system.choose(*turn)
        assert list(worth.values()) == sorted(worth.values(), reverse=True)
        best = max(worth.values())
        assert [made.call for made in options] == [
            call for call, imps in worth.items() if imps >= best - 0.5
        ]
        numbers.append(len(options))
    assert np.unique(numbers).size > 1
