"""What calls lead to in worlds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.champion.bot import gains
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.seats import Seat


class Passes:
    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        assert len(boards) == len(auctions)
        return np.zeros(len(boards), np.int64)


class Certain:
    """Says that everybody takes nine tricks in every denomination, but in the first world eight."""

    def chances(self, hands: NDArray[np.bool_]) -> NDArray[np.float32]:
        odds = np.zeros((len(hands), 5, 4, 14), np.float32)
        odds[:, :, :, 9] = 1
        odds[0] = np.roll(odds[0], -1, axis=2)
        return odds


def gained(auction: Auction, *calls: str) -> list[list[float]]:
    nets: Any = Passes()
    tables: Any = Certain()
    boards = Boards.random(np.random.default_rng(1), 2)
    level = Boards(boards.hands, np.array([[False, True], [False, True]]))
    options = [Call(call) for call in calls]
    found: list[list[float]] = gains(
        nets, tables, level, auction, options, np.random.default_rng(2)
    ).tolist()
    return found


def test_a_game_gains_where_it_makes() -> None:
    """Beside a pass: 400 and 50 lost, and for a partial 150 and 120."""
    assert gained(Auction(Seat.EAST), "Pass", "3NT", "1NT") == [[0, 0], [-2, 9], [3, 4]]


def test_points_are_those_of_the_caller() -> None:
    """The dealer's opponent is vulnerable: 600, or 100 lost, beside 3NT one off or made."""
    auction = Auction(Seat.SOUTH, [PASS])
    assert gained(auction, "Pass", "3NT") == [[0, 0], [-3, 12]]


def test_the_look_ahead_goes_on_from_the_auction_as_it_is() -> None:
    """Opposite 3NT, a pass is the contract, and a double by the opponents too."""
    auction = Auction(Seat.SOUTH, [Call("3NT")])
    assert gained(auction, "Pass", "X") == [[0, 0], [2, -4]]
