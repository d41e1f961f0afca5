"""Many auctions at once, as arrays, in step, by the rules of `bridge.auction`.

All auctions have the same number of calls; the bidder takes out those that are over (`rows`). Calls
are numbers as in `bridge.calls`. Seats are counted from the dealer, 0. Sides are too: 0 is the
dealer's side, 1 the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, masks
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import SEATS, Vulnerability

BIDS = 35

MARKS = 3 * BIDS
"""What a seat may have done: made a bid, doubled it, redoubled it."""


class Auctions:
    """n auctions in progress.

    Args:
        number: The number of auctions.

    Attributes:
        calls: The calls so far, n×made.
        marks: 1 for each thing that each seat has done, n×4×`MARKS`.
        last: The last bid as 1 (1C) to 35 (7NT), n; 0 if there is none.
        bidder: The seat that made the last bid, n.
        risk: 0, 1 if the last bid is doubled, 2 if it is redoubled, n.
        passes: The passes since the last other call, n.
        opening_passes: The passes before the first bid, n.
        named: The seat of each side that first named a denomination, n×2×5; -1 if none has.
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
        """The number of calls so far."""
        return int(self.calls.shape[1])

    @property
    def turn(self) -> int:
        """The seat that is to call."""
        return self.made % 4

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether each auction is over, n."""
        return self.passes >= np.where(self.last == 0, 4, 3)

    @property
    def declarer(self) -> NDArray[np.int64]:
        """The seat that would declare the last bid, n; without meaning if there is no bid."""
        rows = np.arange(len(self))
        return self.named[rows, self.bidder % 2, (self.last - 1) % 5].astype(np.int64)

    def legal(self) -> NDArray[np.bool_]:
        """Return which calls are legal, n×38, in auctions that are not over."""
        legal = np.zeros((len(self), len(CALLS)), np.bool_)
        legal[:, PASS] = True
        ours = self.bidder % 2 == self.turn % 2
        bid = self.last > 0
        legal[:, DOUBLE] = bid & ~ours & (self.risk == 0)
        legal[:, REDOUBLE] = bid & ours & (self.risk == 1)
        legal[:, FIRST_BID:] = np.arange(1, BIDS + 1) > self.last[:, None]
        return legal

    def push(self, calls: NDArray[np.integer]) -> None:
        """Make a call in each auction; its legality is not checked.

        Args:
            calls: The calls, n; no auction may be over.
        """
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
        """Return some of the auctions in a given order; one may come more than once."""
        found = Auctions.__new__(Auctions)
        for name in self.__slots__:
            setattr(found, name, getattr(self, name)[chosen])
        return found

    @classmethod
    def joined(cls, parts: Sequence[Auctions]) -> Auctions:
        """Return all auctions of several parts, which have the same number of calls."""
        found = cls.__new__(cls)
        for name in cls.__slots__:
            setattr(found, name, np.concatenate([getattr(part, name) for part in parts]))
        return found


_VULNERABILITY = {
    (north_south, east_west): Vulnerability(word)
    for word, north_south, east_west in (
        ("None", False, False),
        ("NS", True, False),
        ("EW", False, True),
        ("All", True, True),
    )
}


Calls = NDArray[np.integer]
"""Calls as numbers of `bridge.calls`."""


@dataclass(frozen=True, slots=True)
class Turns:
    """n turns to call, each on a board of its own; no hand but the caller's is known.

    Attributes:
        hands: The hands of the players whose turn it is, n×52.
        auctions: The auctions so far, n; all have the same number of calls, and none is over.
        vulnerable: Whether the dealer's side and the other side are vulnerable, n×2.
        dealers: The dealers, n: 0 for North, clockwise.
    """

    hands: Hands
    auctions: Auctions
    vulnerable: NDArray[np.bool_]
    dealers: NDArray[np.integer]

    def __len__(self) -> int:
        return len(self.hands)

    def rows(self, chosen: NDArray[np.integer]) -> Turns:
        """Return some of the turns."""
        return Turns(
            self.hands[chosen],
            self.auctions.rows(chosen),
            self.vulnerable[chosen],
            self.dealers[chosen],
        )

    def one_by_one(self, choose: Callable[[Hand, Auction, Vulnerability], Call]) -> Calls:
        """Return the calls of a bidder that is asked for one call at a time.

        Args:
            choose: Returns a call for a hand, the auction and the vulnerability.

        Returns:
            The calls, n.
        """
        made = self.auctions.calls.tolist()
        hands = masks(self.hands).tolist()
        dealers, vulnerable = self.dealers.tolist(), self.vulnerable.tolist()
        found = np.empty(len(self), np.int64)
        # Auctions that begin alike follow each other, as bidders keep what they have read of one.
        in_order = np.lexsort((*self.auctions.calls.T[::-1], *self.vulnerable.T, self.dealers))
        for row in in_order.tolist():
            dealer = SEATS[dealers[row]]
            ours, theirs = vulnerable[row]
            sides = (ours, theirs) if dealer % 2 == 0 else (theirs, ours)
            auction = Auction(dealer, [CALLS[call] for call in made[row]])
            found[row] = choose(Hand(hands[row]), auction, _VULNERABILITY[sides])
        return found
