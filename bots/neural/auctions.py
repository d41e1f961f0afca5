"""Many auctions at once, as arrays: by the rules of `bridge.auction`, in step.

All auctions have the same number of calls; one that is over is left aside by who bids
(`rows`). Calls are numbers as in `bridge.calls`; seats are counted from the dealer, 0, and
sides likewise: 0 the dealer's, 1 the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE

BIDS = 35

MARKS = 3 * BIDS
"""What a seat may have done: made a bid, doubled it, redoubled it."""


class Auctions:
    """Auctions in progress.

    `calls`: n×made, those so far. `marks`: n×4×`MARKS`, 1 for what each seat has done.
    `last`: n, the last bid as 1 (1C) to 35 (7NT), 0 where there is none; `bidder`: who made
    it; `risk`: 0, 1 doubled, 2 redoubled. `passes`: those since the last other call;
    `opening_passes`: those before the first bid. `named`: n×2×5, who of a side first named a
    denomination, -1 nobody.
    """

    __slots__ = ("bidder", "calls", "last", "marks", "named", "opening_passes", "passes", "risk")

    def __init__(self, number: int) -> None:
        self.calls: NDArray[np.int8] = np.zeros((number, 0), np.int8)
        self.marks: NDArray[np.uint8] = np.zeros((number, 4, MARKS), np.uint8)
        self.last: NDArray[np.int64] = np.zeros(number, np.int64)
        self.bidder: NDArray[np.int64] = np.zeros(number, np.int64)
        self.risk: NDArray[np.int64] = np.zeros(number, np.int64)
        self.passes: NDArray[np.int64] = np.zeros(number, np.int64)
        self.opening_passes: NDArray[np.int64] = np.zeros(number, np.int64)
        self.named: NDArray[np.int8] = np.full((number, 2, 5), -1, np.int8)

    def __len__(self) -> int:
        return len(self.last)

    @property
    def made(self) -> int:
        """Calls so far."""
        return int(self.calls.shape[1])

    @property
    def turn(self) -> int:
        """The seat that is to call."""
        return self.made % 4

    @property
    def over(self) -> NDArray[np.bool_]:
        return self.passes >= np.where(self.last == 0, 4, 3)

    @property
    def declarer(self) -> NDArray[np.int64]:
        """Who would declare the last bid; meaningless where there is none."""
        rows = np.arange(len(self))
        return self.named[rows, self.bidder % 2, (self.last - 1) % 5].astype(np.int64)

    def legal(self) -> NDArray[np.bool_]:
        """n×38: which calls are legal, of auctions that are not over."""
        legal = np.zeros((len(self), len(CALLS)), np.bool_)
        legal[:, PASS] = True
        ours = self.bidder % 2 == self.turn % 2
        bid = self.last > 0
        legal[:, DOUBLE] = bid & ~ours & (self.risk == 0)
        legal[:, REDOUBLE] = bid & ours & (self.risk == 1)
        legal[:, FIRST_BID:] = np.arange(1, BIDS + 1) > self.last[:, None]
        return legal

    def push(self, calls: NDArray[np.integer]) -> None:
        """Make a legal call in each auction, n; none may be over. Legality is not checked."""
        seat, side = self.turn, self.turn % 2
        is_pass = calls == PASS
        self.opening_passes += is_pass & (self.last == 0)
        self.passes = np.where(is_pass, self.passes + 1, 0)
        doubled = np.flatnonzero((calls == DOUBLE) | (calls == REDOUBLE))
        self.risk[doubled] = calls[doubled]
        self.marks[doubled, seat, calls[doubled] * BIDS + self.last[doubled] - 1] = 1
        bid = np.flatnonzero(calls >= FIRST_BID)
        which = calls[bid].astype(np.int64) - FIRST_BID
        self.marks[bid, seat, which] = 1
        self.last[bid] = which + 1
        self.bidder[bid] = seat
        self.risk[bid] = 0
        first = self.named[bid, side, which % 5]
        self.named[bid, side, which % 5] = np.where(first < 0, seat, first)
        self.calls = np.concatenate([self.calls, calls[:, None].astype(np.int8)], axis=1)

    def rows(self, chosen: NDArray[np.integer]) -> Auctions:
        """Some of them, in this order, any more than once."""
        found = Auctions.__new__(Auctions)
        for name in self.__slots__:
            setattr(found, name, getattr(self, name)[chosen])
        return found

    @classmethod
    def joined(cls, parts: Sequence[Auctions]) -> Auctions:
        """All of several, of the same number of calls."""
        found = cls.__new__(cls)
        for name in cls.__slots__:
            setattr(found, name, np.concatenate([getattr(part, name) for part in parts]))
        return found
