"""The boards of an experiment as arrays: dealt as a match deals them, or solved deals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import masks
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bridge.board import Board, standard_dealer, standard_vulnerability
from bridge_arena.bridge.cards import Deal, Hand
from bridge_arena.bridge.seats import SEATS, Side
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.oracle.solved_deals import SolvedDeals

_ROUND = range(1, 17)
"""Dealer and vulnerability of a board are those of one of the first sixteen."""

_DEALERS = np.array([standard_dealer(number) for number in _ROUND], np.int64)

_VULNERABLE = np.array(
    [
        [standard_vulnerability(number).includes(side) for side in (Side.NS, Side.EW)]
        for number in _ROUND
    ],
    np.bool_,
)


@dataclass(frozen=True, slots=True)
class LabBoards:
    """n boards, seen from above."""

    numbers: NDArray[np.int64]  # their numbers, n; dealer and vulnerability belong to the number
    seats: NDArray[np.uint8]  # the seat that holds each card, n×52: 0 for North, clockwise
    # Their double-dummy tricks, n×5×4, of declarers N E S W; None if not known.
    tricks: NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def rows(self, start: int, stop: int | None = None) -> LabBoards:
        """Return the boards in some rows."""
        rows = slice(start, stop)
        tricks = None if self.tricks is None else self.tricks[rows]
        return LabBoards(self.numbers[rows], self.seats[rows], tricks)

    @classmethod
    def dealt(cls, key: DealKey, start: int, stop: int) -> LabBoards:
        """Return the boards of a key from number `start` up to before `stop`."""
        numbers = np.arange(start, stop)
        seats = np.empty((len(numbers), 52), np.uint8)
        for row, number in zip(seats, numbers.tolist(), strict=True):
            deal = key.deal(number)
            for seat in SEATS:
                row[list(deal[seat])] = seat
        return cls(numbers, seats)

    @classmethod
    def solved(cls, deals: SolvedDeals, start: int) -> LabBoards:
        """Return solved deals as boards numbered from `start`."""
        return cls(np.arange(start, start + len(deals)), deals.seats, deals.tricks)

    @property
    def dealers(self) -> NDArray[np.int64]:
        """The dealers, n."""
        return _DEALERS[(self.numbers - 1) % len(_ROUND)]

    @property
    def vulnerable(self) -> NDArray[np.bool_]:
        """Whether North-South and East-West are vulnerable, n×2."""
        return _VULNERABLE[(self.numbers - 1) % len(_ROUND)]

    def from_the_dealer(self) -> Boards:
        dealers = self.dealers
        from_dealer = (self.seats - dealers[:, None]) % 4
        hands = from_dealer[:, None] == np.arange(4)[:, None]
        turned = np.stack([dealers % 2, 1 - dealers % 2], axis=1)
        return Boards(hands, np.take_along_axis(self.vulnerable, turned, axis=1))

    def deal(self, row: int) -> Deal:
        held = self.seats[row] == np.arange(4)[:, None]
        north, east, south, west = (Hand(mask) for mask in masks(held).tolist())
        return Deal((north, east, south, west))

    def all(self) -> list[Board]:
        return [self.board(row) for row in range(len(self))]

    def board(self, row: int) -> Board:
        return Board.standard(int(self.numbers[row]), self.deal(row))
