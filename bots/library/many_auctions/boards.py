"""Boards as arrays, as the dealer sees them: seats are counted from the dealer.

An auction does not depend on who sits North, so any seat may be the dealer. A deal may have its
suits in any order if its tricks have the same order. So a solved deal gives many boards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import (
    Hands,
    denominations_reordered,
    hands_array,
    reordered,
    suit_orders,
)
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import SEATS, Vulnerability
from bridge_arena.oracle.solved_deals import SolvedDeals

Tricks = NDArray[np.uint8]
"""Double-dummy tricks, n×5×4: denominations from clubs, declarers from the dealer."""


@dataclass(frozen=True, slots=True)
class Boards:
    """n boards to be bid.

    Attributes:
        hands: The hands, n×4×52, clockwise from the dealer.
        vulnerable: Whether the dealer's side and the other side are vulnerable, n×2.
    """

    hands: Hands
    vulnerable: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.hands)

    def rows(self, chosen: NDArray[np.integer] | slice) -> Boards:
        """Return some of the boards."""
        return Boards(self.hands[chosen], self.vulnerable[chosen])

    @classmethod
    def of(cls, boards: Iterable[Board]) -> Boards:
        """Return boards as arrays."""
        found = list(boards)
        hands = [[board.deal[SEATS[(board.dealer + n) % 4]] for n in range(4)] for board in found]
        vulnerable = [
            [board.vulnerability.includes(side) for side in (seat.side, seat.next.side)]
            for board, seat in ((board, board.dealer) for board in found)
        ]
        flat = [hand for four in hands for hand in four]
        return cls(hands_array(flat).reshape(-1, 4, 52), np.array(vulnerable, np.bool_))

    @classmethod
    def random(cls, rng: np.random.Generator, number: int) -> Boards:
        """Return random deals, with each side vulnerable or not with equal probability."""
        order = rng.random((number, 52)).argpartition((12, 25, 38), axis=1)
        hands = np.zeros((number, 4, 52), np.bool_)
        for seat in range(4):
            cards = order[:, 13 * seat : 13 * seat + 13]
            np.put_along_axis(hands[:, seat], cards, values=True, axis=1)
        return cls(hands, rng.random((number, 2)) < 0.5)


def drawn(solved: SolvedDeals, rng: np.random.Generator, number: int) -> tuple[Boards, Tricks]:
    """Return boards made of solved deals, with random dealer, vulnerability and order of suits.

    Args:
        solved: The solved deals.
        rng: The generator.
        number: How many boards to make; a deal may be used more than once.

    Returns:
        The boards and their tricks.
    """
    deals = rng.integers(len(solved), size=number)
    dealers = rng.integers(4, size=number)
    orders = suit_orders(rng, number)
    seats = reordered(solved.seats[deals], orders)
    tricks = denominations_reordered(solved.tricks[deals], orders)
    return _turned(seats, tricks, dealers, rng.random((number, 2)) < 0.5)


def in_turn(solved: SolvedDeals) -> tuple[Boards, Tricks]:
    """Return each solved deal as one board, with dealers and vulnerabilities in rotation."""
    number = np.arange(len(solved))
    vulnerable = np.stack([number // 4 % 2, number // 8 % 2], axis=1).astype(np.bool_)
    return _turned(solved.seats, solved.tricks, number % 4, vulnerable)


def _turned(
    seats: NDArray[np.uint8],
    tricks: Tricks,
    dealers: NDArray[np.integer],
    vulnerable: NDArray[np.bool_],
) -> tuple[Boards, Tricks]:
    """Return boards and tricks as the dealers see them."""
    from_dealer = (seats - dealers[:, None]) % 4
    hands = from_dealer[:, None] == np.arange(4)[:, None]
    declarers = (dealers[:, None] + np.arange(4)) % 4
    turned = np.take_along_axis(tricks, declarers[:, None], axis=2)
    return Boards(hands, vulnerable), turned


def vulnerability(dealer_side: bool, other_side: bool) -> Vulnerability:  # noqa: FBT001
    """Return the vulnerability of a board whose dealer is North."""
    if dealer_side:
        return Vulnerability.ALL if other_side else Vulnerability.NS
    return Vulnerability.EW if other_side else Vulnerability.NONE
