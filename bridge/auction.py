"""The auction: whose turn it is, which calls are legal, and which contract results.

It follows Laws 17 to 22 of the 2017 Laws of Duplicate Bridge. An illegal call is refused, so that
no call is ever out of rotation.
"""

from __future__ import annotations

from collections.abc import Iterable

from bridge_arena.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE, Call, Contract, Risk
from bridge_arena.bridge.errors import IllegalCallError
from bridge_arena.bridge.seats import SEATS, Seat


class Auction:
    """An auction in progress, from the dealer's call on.

    Args:
        calls: Calls that have already been made, in order; IllegalCallError is raised for them too.
    """

    __slots__ = (
        "_first_to_name",
        "_last_bid",
        "_last_bidder",
        "_passes",
        "_risk",
        "calls",
        "dealer",
    )

    def __init__(self, dealer: Seat, calls: Iterable[Call] = ()) -> None:
        self.dealer = dealer
        self.calls: list[Call] = []
        # Passes since the last other call.
        self._passes = 0
        # The highest bid so far and who made it; None before the first bid.
        self._last_bid: Call | None = None
        self._last_bidder = dealer
        self._risk = Risk.UNDOUBLED
        # The seat of each side that first named each denomination: the declarer by Law 22.
        self._first_to_name: dict[tuple[int, int], Seat] = {}
        for call in calls:
            self.push(call)

    @property
    def turn(self) -> Seat:
        """The seat whose turn it is to call; meaningless once the auction is over."""
        return SEATS[(self.dealer + len(self.calls)) & 3]

    @property
    def is_over(self) -> bool:
        """Whether three passes in a row followed a bid, or all four players passed (Law 22)."""
        return self._passes >= (4 if self._last_bid is None else 3)

    @property
    def is_passed_out(self) -> bool:
        """Whether all four players passed and nobody bid."""
        return self._last_bid is None and self._passes == 4

    @property
    def contract(self) -> Contract | None:
        """The contract if the auction ended now; None while nobody has bid, or when passed out."""
        bid = self._last_bid
        if bid is None:
            return None
        declarer = self._first_to_name[self._last_bidder & 1, (bid - FIRST_BID) % 5]
        return Contract.of(bid, self._risk, declarer)

    def is_legal(self, call: Call) -> bool:
        """Return whether `call` is legal now."""
        return self._objection(call) is None

    def legal_calls(self) -> list[Call]:
        """Return all legal calls in rising order, Pass first; none once the auction is over."""
        if self.is_over:
            return []
        doubles = [call for call in (DOUBLE, REDOUBLE) if self.is_legal(call)]
        lowest = FIRST_BID if self._last_bid is None else self._last_bid + 1
        return [PASS, *doubles, *CALLS[lowest:]]

    def push(self, call: Call) -> None:
        """Make a call for the seat in turn; else raise IllegalCallError, which says why not."""
        # A pass is legal unless three precede it.
        if call != PASS or self._passes >= 3:
            objection = self._objection(call)
            if objection is not None:
                raise IllegalCallError(f"{call} by {self.turn} is illegal: {objection}")
        if call == PASS:
            self._passes += 1
        elif call >= FIRST_BID:
            bidder = self.turn
            self._passes = 0
            self._last_bid = call
            self._last_bidder = bidder
            self._risk = Risk.UNDOUBLED
            self._first_to_name.setdefault((bidder & 1, (call - FIRST_BID) % 5), bidder)
        else:
            self._passes = 0
            self._risk = Risk.DOUBLED if call == DOUBLE else Risk.REDOUBLED
        self.calls.append(call)

    def _objection(self, call: Call) -> str | None:
        """Return the reason why the Laws forbid `call` now, or None if it is legal."""
        last = self._last_bid
        if self._passes >= 3 and self.is_over:
            return "the auction is over"
        if call == PASS:
            return None
        if call >= FIRST_BID:
            if last is not None and call <= last:
                return f"insufficient over {last} (Law 18)"
            return None
        by_own_side = last is not None and self._last_bidder.side == self.turn.side
        if call == DOUBLE:
            if last is None or by_own_side or self._risk != Risk.UNDOUBLED:
                return "only an opponent's undoubled bid can be doubled (Law 19)"
        elif not by_own_side or self._risk != Risk.DOUBLED:
            return "only an own bid that an opponent doubled can be redoubled (Law 19)"
        return None

    def copy(self) -> Auction:
        """Return an independent copy of the auction."""
        other = Auction(self.dealer)
        other.calls = self.calls.copy()
        other._passes = self._passes
        other._last_bid = self._last_bid
        other._last_bidder = self._last_bidder
        other._risk = self._risk
        other._first_to_name = self._first_to_name.copy()
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Auction):
            return NotImplemented
        return self.dealer == other.dealer and self.calls == other.calls

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return f"{self.dealer}: {' '.join(map(str, self.calls))}"

    def __repr__(self) -> str:
        return f"Auction({self.dealer!r}, {self.calls!r})"


def shortest_auction(contract: Contract, dealer: Seat) -> list[Call]:
    """Return the shortest auction that ends in `contract`, the dealer's call first.

    Declarer bids it, the next players double and redouble if the contract says so, and everybody
    else passes.
    """
    bid = Call.bid(contract.level, contract.denomination)
    risks = [DOUBLE, REDOUBLE][: contract.risk]
    return [*[PASS] * ((contract.declarer - dealer) % 4), bid, *risks, PASS, PASS, PASS]
