"""Boards, contracts and matches as arrays; seats are counted from the dealer.

An auction does not depend on who sits North, so any seat may be the dealer. A deal may have its
suits in any order if its tricks have the same order. So a solved deal gives many boards. Contracts
are scored double dummy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.bidding_systems import System, SystemName, call_many, system
from bridge_arena.bots.library.learning.arrays import Rows
from bridge_arena.bots.library.learning.hands import (
    Hands,
    denominations_reordered,
    hands_array,
    reordered,
    suit_orders,
)
from bridge_arena.bots.library.learning.scores import imps_of, risks_table
from bridge_arena.bots.library.many_auctions.auctions import Auctions, Turns, vulnerability
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solved_deals import SolvedDeals

Tricks = NDArray[np.uint8]
"""Double-dummy tricks, n×5×4: denominations from clubs, declarers from the dealer."""

Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Boards(Rows):
    """n boards to be bid."""

    hands: Hands  # the hands, n×4×52, clockwise from the dealer
    # Whether the dealer's side and the other side are vulnerable, n×2.
    vulnerable: NDArray[np.bool_]

    @classmethod
    def of(cls, boards: Iterable[Board]) -> Boards:
        """Return boards as arrays."""
        every = list(boards)
        hands = [[board.deal[SEATS[(board.dealer + n) % 4]] for n in range(4)] for board in every]
        vulnerable = [
            [board.vulnerability.includes(side) for side in (seat.side, seat.next.side)]
            for board, seat in ((board, board.dealer) for board in every)
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
    """Return boards of solved deals, with random dealer, vulnerability and order of suits.

    A deal may be used more than once.
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


@dataclass(frozen=True, slots=True)
class Contracts:
    """n contracts."""

    bid: Whole  # the bid as 1 (1C) to 35 (7NT), n; 0 if the board was passed out
    risk: Whole  # 0, 1 if it is doubled, 2 if it is redoubled, n
    declarer: Whole  # the seat of declarer, counted from the dealer, n, if there is a bid

    @classmethod
    def unknown(cls, number: int) -> Contracts:
        """Return contracts to be filled in by `put`."""
        return cls(*np.zeros((3, number), np.int64))

    def put(self, rows: NDArray[np.integer], auctions: Auctions) -> None:
        """Put the contracts of auctions that are over into these rows."""
        self.bid[rows] = auctions.last
        self.risk[rows] = auctions.risk
        self.declarer[rows] = auctions.declarer

    def points(self, boards: Boards, tricks: Tricks) -> Whole:
        """Return the points of the dealer's side, n; boards and tricks are in the same order."""
        rows = np.arange(len(self.bid))
        taken = tricks[rows, (self.bid - 1) % 5, self.declarer]
        vulnerable = boards.vulnerable[rows, self.declarer % 2].astype(np.int64)
        made: Whole = _table()[vulnerable, self.risk, self.bid, taken]
        return np.where(self.declarer % 2 == 0, made, -made)


def imps(differences: Whole) -> Whole:
    """Return the IMPs, -24 to 24, of differences in points."""
    return np.sign(differences) * imps_of(np.abs(differences).astype(np.float64))


@lru_cache(maxsize=1)
def _table() -> Whole:
    return risks_table()


def pars(boards: Boards, tricks: Tricks) -> Whole:
    """Return par of solved boards, in points of the dealer's side."""
    scores = np.zeros(len(boards), np.int64)
    for row in range(len(boards)):
        table = DoubleDummyTable(tuple(int(taken) for taken in tricks[row].reshape(-1)))
        vulnerable = vulnerability(*(bool(side) for side in boards.vulnerable[row]))
        scores[row] = par(table, Seat.NORTH, vulnerable).score
    return scores


class Caller(Protocol):
    """A partnership that bids many boards at once."""

    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        """Return a legal call, n, of the player whose turn it is in each of n auctions."""


class SystemCaller:
    """A bidding system, or that of a name, as a partnership that bids many boards."""

    def __init__(self, bidder: System | SystemName = "natural") -> None:
        self._system = system(bidder) if isinstance(bidder, str) else bidder

    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        """Return the calls of the player whose turn it is (`Caller`)."""
        dealers = np.zeros(len(boards), np.int64)
        turns = Turns(boards.hands[:, auctions.turn], auctions, boards.vulnerable, dealers)
        return call_many(self._system, turns)


def bid_out(boards: Boards, dealers: Caller, others: Caller) -> Contracts:
    """Return the contracts of boards that the partnership of the dealers bids against another."""
    contracts = Contracts.unknown(len(boards))
    on = np.arange(len(boards))
    auctions = Auctions(len(boards))
    while True:
        over = auctions.over
        ended, going = np.flatnonzero(over), np.flatnonzero(~over)
        contracts.put(on[ended], auctions.rows(ended))
        if not len(going):
            return contracts
        auctions, on = auctions.rows(going), on[going]
        caller = others if auctions.made % 2 else dealers
        auctions.push(caller.calls(boards.rows(on), auctions))


def match(boards: Boards, tricks: Tricks, first: Caller, second: Caller) -> Whole:
    """Return the IMPs that the first partnership wins in two rooms, double dummy, by board, n."""
    open_room = bid_out(boards, first, second).points(boards, tricks)
    closed_room = bid_out(boards, second, first).points(boards, tricks)
    return imps(open_room - closed_room)
