"""Matches in two rooms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, bid_out, match
from bridge_arena.bridge.calls import CALL_TEXTS
from tests.bots.neural.nets import nets

GAME = CALL_TEXTS.index("3NT")


class Opens3NT:
    """Bids 3NT where nobody has bid, and passes."""

    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        assert len(boards) == len(auctions)
        return np.where(auctions.last == 0, GAME, 0)


class Passes:
    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        return np.zeros_like(auctions.last[: len(boards)], np.int64)


def test_the_partner_who_first_named_the_strain_declares() -> None:
    boards = Boards.random(np.random.default_rng(1), 3)
    contracts = bid_out(boards, Passes(), Opens3NT())
    assert contracts.bid.tolist() == [15] * 3
    assert contracts.declarer.tolist() == [1] * 3
    assert contracts.risk.tolist() == [0] * 3
    assert bid_out(boards, Passes(), Passes()).bid.tolist() == [0] * 3


def test_auctions_that_have_begun_are_completed() -> None:
    """The first is in progress, and the second is over."""
    boards = Boards.random(np.random.default_rng(1), 2)
    auctions = Auctions(2)
    for calls in ([0, 3], [0, 0], [0, 0], [3, 0]):
        auctions.push(np.array(calls))
    contracts = bid_out(boards, Passes(), Opens3NT(), auctions)
    assert contracts.bid.tolist() == [1, 1]
    assert contracts.declarer.tolist() == [3, 0]


def test_a_match_is_won_by_who_bids_the_game_that_makes() -> None:
    boards = Boards.random(np.random.default_rng(1), 2)
    vulnerable = Boards(boards.hands, np.array([[True, False], [False, False]]))
    tricks = np.zeros((2, 5, 4), np.uint8)
    tricks[:, 4] = [[9, 6, 9, 6], [6, 9, 6, 9]]
    # Dealer's 3NT makes 600, and East's goes three off: 150. Then 150 lost, and 400 won.
    won = match(vulnerable, tricks, Opens3NT(), Passes())
    assert won.tolist() == [10, 6]
    assert match(vulnerable, tricks, Passes(), Opens3NT()).tolist() == [-10, -6]


def test_a_match_against_oneself_is_level() -> None:
    net = nets(6)
    rng = np.random.default_rng(1)
    tricks = rng.integers(14, size=(20, 5, 4)).astype(np.uint8)
    assert not match(Boards.random(rng, 20), tricks, net, net).any()
