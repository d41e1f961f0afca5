"""Many auctions at once, in step, by the rules of `bridge.auction`; and turns to call in them.

All auctions have the same number of calls; the bidder takes out those that are over (`rows`). Calls
are numbers as in `bridge.calls`. Seats are counted from the dealer, 0. Sides are too: 0 is the
dealer's side, 1 the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

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


_Array = TypeVar("_Array", bound=Any)


class ArrayAuctions(Generic[_Array]):
    """n auctions in progress, in numpy (`Auctions`) or in torch, on its default device."""

    __slots__ = (
        *("bidder", "calls", "last", "library", "marks", "named", "opening_passes", "passes"),
        "risk",
    )

    def __init__(self, number: int, library: Any = np) -> None:
        self.library = library
        whole = library.int64
        self.calls: _Array = library.zeros((number, 0), dtype=library.int8)  # n×made
        # 1 for all that each seat has done, n×4×`MARKS`.
        self.marks: _Array = library.zeros((number, 4, MARKS), dtype=library.uint8)
        # The last bid as 1 (1C) to 35 (7NT), 0 if there is none; the seat that made it; and 1 if it
        # is doubled, 2 if it is redoubled, else 0.
        self.last: _Array = library.zeros(number, dtype=whole)
        self.bidder: _Array = library.zeros(number, dtype=whole)
        self.risk: _Array = library.zeros(number, dtype=whole)
        # The passes since the last other call, and those before the first bid.
        self.passes: _Array = library.zeros(number, dtype=whole)
        self.opening_passes: _Array = library.zeros(number, dtype=whole)
        # The seat of each side that first named a denomination, -1 if none has.
        self.named: _Array = library.full((number, 2, 5), -1, dtype=library.int8)

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
    def over(self) -> _Array:
        """Whether each auction is over, n."""
        is_over: _Array = self.passes >= self.library.where(self.last == 0, 4, 3)
        return is_over

    @property
    def declarer(self) -> _Array:
        """The seat that would declare the last bid, n; without meaning if there is no bid."""
        rows = self.library.arange(len(self))
        seats = self.named[rows, self.bidder % 2, (self.last - 1) % 5]
        declarer: _Array = self.library.asarray(seats, dtype=self.library.int64)
        return declarer

    def legal(self) -> _Array:
        """Return which calls are legal, n×38, in auctions that are not over."""
        library = self.library
        bid, ours = self.last > 0, self.bidder % 2 == self.turn % 2
        legal: _Array = library.ones((len(self), len(CALLS)), dtype=library.bool)
        legal[:, DOUBLE] = bid & ~ours & (self.risk == 0)
        legal[:, REDOUBLE] = bid & ours & (self.risk == 1)
        legal[:, FIRST_BID:] = library.arange(1, BIDS + 1) > self.last[:, None]
        return legal

    def push(self, calls: _Array) -> None:
        """Make a call in each auction, none of which may be over; legality is not checked."""
        library, seat, side = self.library, self.turn, self.turn % 2
        is_pass = calls == PASS
        # A processor changes only where something is said. With torch all auctions are written: to
        # pick out rows would have a GPU wait for the processor at every call.
        some = slice(None) if library is not np else np.flatnonzero(~is_pass)
        rows, made, last = library.arange(len(self))[some], calls[some], self.last[some]
        is_bid, is_double = made >= FIRST_BID, (made == DOUBLE) | (made == REDOUBLE)
        bid = library.where(is_bid, made - FIRST_BID, 0)
        marks, named, denomination = self.marks[:, seat], self.named[:, side], bid % 5
        mark = library.where(is_double, made * BIDS + last - 1, bid)
        marks[rows, mark] |= is_bid | is_double
        first = named[rows, denomination]
        named[rows, denomination] = library.where(is_bid & (first < 0), seat, first)
        self.opening_passes = self.opening_passes + (is_pass & (self.last == 0))
        self.passes = library.where(is_pass, self.passes + 1, 0)
        risk = library.where(is_bid, 0, self.risk[some])
        self.risk[some] = library.where(is_double, made, risk)
        self.last[some] = library.where(is_bid, bid + 1, last)
        self.bidder[some] = library.where(is_bid, seat, self.bidder[some])
        column = library.asarray(calls, dtype=library.int8)[:, None]
        self.calls = library.concatenate([self.calls, column], 1)

    def rows(self, chosen: Any) -> ArrayAuctions[_Array]:
        """Return some of the auctions in a given order; one may come more than once."""
        return self.moved(lambda array: array[chosen], self.library)

    def moved(self, move: Callable[[Any], Any], library: Any) -> ArrayAuctions[Any]:
        """Return the auctions with arrays of a library, which `move` makes of those here."""
        auctions = ArrayAuctions.__new__(ArrayAuctions)
        auctions.library = library
        for name in self.__slots__:
            if name != "library":
                setattr(auctions, name, move(getattr(self, name)))
        return auctions


Auctions = ArrayAuctions[NDArray[Any]]
"""Auctions in numpy, as bots and the laboratory have them."""


def vulnerability(north_south: bool, east_west: bool) -> Vulnerability:  # noqa: FBT001
    if north_south:
        return Vulnerability.ALL if east_west else Vulnerability.NS
    return Vulnerability.EW if east_west else Vulnerability.NONE


Calls = NDArray[np.integer]
"""Calls as numbers of `bridge.calls`."""


@dataclass(frozen=True, slots=True)
class Turns:
    """n turns to call, each on a board of its own; no hand but the caller's is known."""

    hands: Hands  # the hands of the players whose turn it is, n×52
    # The auctions so far, n; all have the same number of calls, and none is over.
    auctions: Auctions
    # Whether the dealer's side and the other side are vulnerable, n×2.
    vulnerable: NDArray[np.bool_]
    dealers: NDArray[np.integer]  # the dealers, n: 0 for North, clockwise

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

    def in_order(self) -> Iterator[tuple[int, Hand, Auction, Vulnerability]]:
        """Yield each turn with its row.

        Auctions that begin alike follow each other, as bidders keep what they have read of one.
        """
        made = self.auctions.calls.tolist()
        hands = masks(self.hands).tolist()
        dealers, vulnerable = self.dealers.tolist(), self.vulnerable.tolist()
        in_order = np.lexsort((*self.auctions.calls.T[::-1], *self.vulnerable.T, self.dealers))
        for row in in_order.tolist():
            dealer = SEATS[dealers[row]]
            ours, theirs = vulnerable[row]
            sides = (ours, theirs) if dealer % 2 == 0 else (theirs, ours)
            auction = Auction(dealer, [CALLS[call] for call in made[row]])
            yield row, Hand(hands[row]), auction, vulnerability(*sides)

    def one_by_one(self, choose: Callable[[Hand, Auction, Vulnerability], Call]) -> Calls:
        """Return the calls, n, of a bidder that is asked for one call at a time."""
        chosen = np.empty(len(self), np.int64)
        for row, hand, auction, sides in self.in_order():
            chosen[row] = choose(hand, auction, sides)
        return chosen


def state_of(auction: Auction) -> Auctions:
    """Return one auction as an array of one."""
    state = Auctions(1)
    for call in auction.calls:
        state.push(np.array([call]))
    return state


def vulnerable_of(auction: Auction, vulnerability: Vulnerability) -> NDArray[np.bool_]:
    """Return whether the dealer's side and the other side of one auction are vulnerable, 1×2."""
    side = auction.dealer.side
    return np.array([[vulnerability.includes(side), vulnerability.includes(side.other)]])
