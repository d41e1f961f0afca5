"""The bidding of many boards: the same as at the table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bridge_arena.bots.registry import parse
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, FIRST_BID
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidding import NO_CALL, WrongCallError, bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.tournaments.play.in_process import FaultyBotError, bid_at_tables
from tests.lab.bidders_here import (
    Batches,
    Doubles,
    Halves,
    Passes,
    Short,
    Silent,
    Wrong,
)

KEY = DealKey.of_seed(4)


def maker(name: str) -> Callable[[], Bot]:
    return parse(name)[1]


@pytest.mark.parametrize(
    ("home", "visitors"),
    [
        (maker("neural"), maker("natural")),
        (maker("qtable"), maker("deepq")),
        (maker("random"), maker("baseline")),
        (Silent, maker("natural")),
    ],
)
def test_every_board_is_bid_as_at_a_table(
    home: Callable[[], Bot], visitors: Callable[[], Bot]
) -> None:
    boards = LabBoards.dealt(KEY, 3, 13)
    found = bid(boards, home, visitors, KEY)
    every = [boards.board(row) for row in range(10)]
    for row, rooms in enumerate(bid_at_tables(every, home, visitors, KEY)):
        for room, calls in enumerate(rooms):
            made = found.calls[row, room]
            assert [CALLS[call] for call in made if call != NO_CALL] == calls
            contract = Auction(every[row].dealer, calls).contract
            if contract is None:
                assert found.bid[row, room] == 0
                continue
            last = contract.level * 5 - 4 + contract.denomination
            assert found.bid[row, room] == last
            assert found.risk[row, room] == contract.risk
            assert found.declarer[row, room] == contract.declarer


def test_the_home_bot_sits_north_south_in_the_open_room() -> None:
    boards = LabBoards.dealt(KEY, 1, 41)
    found = bid(boards, maker("natural"), Passes, KEY)
    declared = found.bid > 0
    assert declared.any()
    assert (found.declarer[declared[:, 0], 0] % 2 == 0).all()
    assert (found.declarer[declared[:, 1], 1] % 2 == 1).all()


def test_boards_do_not_depend_on_those_beside_them() -> None:
    whole = bid(LabBoards.dealt(KEY, 1, 9), maker("neural"), maker("neural"), KEY)
    alone = bid(LabBoards.dealt(KEY, 5, 6), maker("neural"), maker("neural"), KEY)
    assert np.array_equal(whole.bid[4], alone.bid[0])
    length = alone.calls.shape[2]
    assert np.array_equal(whole.calls[4, :, :length], alone.calls[0])


def test_calls_that_are_not_legal_are_refused() -> None:
    boards = LabBoards.dealt(KEY, 1, 2)
    assert int(FIRST_BID) == 3
    with pytest.raises(WrongCallError, match=r"^Wrong answered a batch with 1C after 1C Pass, "):
        bid(boards, Wrong, Passes, KEY)
    with pytest.raises(WrongCallError, match=r"Short answered 1 turn with .*\(0,\)"):
        bid(boards, Short, Passes, KEY)
    with pytest.raises(WrongCallError, match="Halves answered a batch with values of type float64"):
        bid(boards, Halves, Passes, KEY)


def test_a_call_that_a_table_refuses_is_told_instead_of_replaced() -> None:
    boards = LabBoards.dealt(KEY, 1, 2)
    with pytest.raises(FaultyBotError, match=r"^Doubles at board 1, North, Open room: X by N is "):
        bid(boards, Doubles, Passes, KEY)


def test_a_bot_must_have_the_method_call() -> None:
    with pytest.raises(WrongCallError, match="Batches has no method call"):
        bid(LabBoards.dealt(KEY, 1, 2), Batches, Passes, KEY)
