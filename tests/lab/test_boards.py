"""The boards of an experiment."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.boards import LabBoards
from bridge_arena.oracle.solved_deals import SolvedDeals

KEY = DealKey.of_seed(4)


def test_boards_are_dealt_as_a_match_deals_them() -> None:
    boards = LabBoards.dealt(KEY, 15, 35)
    assert [boards.board(row) for row in range(20)] == [KEY.board(n) for n in range(15, 35)]


def test_boards_are_seen_from_the_dealer() -> None:
    boards = LabBoards.dealt(KEY, 1, 18)
    seen = boards.from_the_dealer()
    expected = Boards.of(KEY.board(number) for number in range(1, 18))
    assert np.array_equal(seen.hands, expected.hands)
    assert np.array_equal(seen.vulnerable, expected.vulnerable)


def test_solved_deals_are_boards_in_their_order() -> None:
    dealt = LabBoards.dealt(KEY, 1, 4)
    tricks = np.arange(60).reshape(3, 5, 4).astype(np.uint8) % 14
    boards = LabBoards.solved(SolvedDeals(dealt.seats, tricks), 7)
    assert boards.board(1) == Board.standard(8, KEY.deal(2))
    assert boards.tricks is tricks
