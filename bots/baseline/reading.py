"""What the calls of a simple natural system promise.

`read` goes through an auction and keeps what the calls of each seat have promised: points and least
suit lengths. The bidder reads partner's calls with it and explains its own calls with it, so the
two always agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bridge_arena.bridge.calls import FIRST_BID, Call, Denomination
from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import SEATS, Seat


@dataclass(frozen=True, slots=True)
class Promise:
    """What a seat has promised by its calls.

    Attributes:
        low: The fewest high-card points.
        high: The most high-card points.
        lengths: The least lengths of clubs, diamonds, hearts and spades.
        bids: The bids made, in order.
    """

    low: int = 0
    high: int = 37
    lengths: tuple[int, int, int, int] = (0, 0, 0, 0)
    bids: tuple[Call, ...] = ()

    def narrowed(self, low: int, high: int) -> Promise:
        """Return the promise with the points narrowed, or unchanged if they contradict it."""
        low, high = max(self.low, low), min(self.high, high)
        return self if low > high else replace(self, low=low, high=high)

    def with_length(self, suit: Suit | None, length: int) -> Promise:
        """Return the promise with at least `length` cards in `suit`."""
        if suit is None or self.lengths[suit] >= length:
            return self
        lengths = list(self.lengths)
        lengths[suit] = length
        return replace(self, lengths=(lengths[0], lengths[1], lengths[2], lengths[3]))

    def balanced(self) -> Promise:
        """Return the promise with at least two cards in each suit."""
        promise = self
        for suit in SUITS:
            promise = promise.with_length(suit, 2)
        return promise

    def explanation(self) -> Explanation:
        """Return the promise as an explanation of a call."""
        lengths = {suit: (self.lengths[suit], 13) for suit in SUITS if self.lengths[suit]}
        return Explanation("natural", (self.low, self.high), lengths)


def read(dealer: Seat, calls: Sequence[Call]) -> list[Promise]:
    """Return what each seat, indexed by Seat, has promised by its calls so far."""
    promises = [Promise()] * 4
    for index, promise in enumerate(promises_by_call(dealer, calls)):
        promises[(dealer + index) % 4] = promise
    return promises


def promises_by_call(dealer: Seat, calls: Sequence[Call]) -> list[Promise]:
    """Return what the caller of each call has promised by it and by his calls before it.

    Passes and doubles promise nothing more.

    Args:
        dealer: The seat that calls first.
        calls: The calls of the auction, in order.

    Returns:
        One promise for each call.
    """
    promises = [Promise()] * 4
    told: list[Promise] = []
    last = Call("Pass")
    for index, call in enumerate(calls):
        seat = SEATS[(dealer + index) % 4]
        if call.is_bid:
            jump = call.level - cheapest_level(last, call.denomination)
            promise = _bid(promises, seat, call, jump)
            promises[seat] = replace(promise, bids=(*promise.bids, call))
            last = call
        told.append(promises[seat])
    return told


def _bid(promises: Sequence[Promise], seat: Seat, call: Call, jump: int) -> Promise:
    own, partner = promises[seat], promises[seat.partner]
    if own.bids:
        return _rebid(own, partner, call, jump)
    if partner.bids:
        return _response(own, partner, call, jump)
    others = promises[seat.next].bids or promises[seat.previous].bids
    return _overcall(own, call, jump) if others else _opening(own, call)


def cheapest_level(last: Call, denomination: Denomination) -> int:
    """Return the lowest level at which `denomination` can be bid over the last bid (or Pass)."""
    if last < FIRST_BID:
        return 1
    return last.level + (denomination <= last.denomination)


def _opening(own: Promise, call: Call) -> Promise:
    suit = call.denomination.trump
    if suit is None:
        points = {1: (15, 17), 2: (20, 21)}.get(call.level, (22, 27))
        return own.narrowed(*points).balanced()
    if call.level == 1:
        return own.narrowed(12, 21).with_length(suit, 4)
    return own.narrowed(5, 11).with_length(suit, call.level + 4)


def _overcall(own: Promise, call: Call, jump: int) -> Promise:
    suit = call.denomination.trump
    if suit is None:
        return own.narrowed(15, 18).balanced()
    if jump:
        return own.narrowed(5, 11).with_length(suit, 6)
    return own.narrowed(9 if call.level == 1 else 11, 17).with_length(suit, 5)


def _response(own: Promise, partner: Promise, call: Call, jump: int) -> Promise:
    first = partner.bids[0]
    suit = call.denomination.trump
    if first.denomination == Denomination.NOTRUMP:
        return _response_to_notrump(own, partner, call)
    if suit is None:
        points = {1: (6, 9), 2: (10, 12), 3: (13, 16)}.get(call.level, (17, 37))
        return own.narrowed(*points)
    if call.denomination == first.denomination:
        points = ((6, 9), (10, 12), (13, 16))[min(2, call.level - first.level - 1)]
        return own.narrowed(*points).with_length(suit, 4 if partner.lengths[suit] < 5 else 3)
    if jump:
        return own.narrowed(16, 37).with_length(suit, 5)
    return own.narrowed(6 if call.level == 1 else 10, 37).with_length(suit, 4)


def _response_to_notrump(own: Promise, partner: Promise, call: Call) -> Promise:
    """Return the promise of a response whose points make 25 (game) or 33 (slam) with partner's."""
    suit = call.denomination.trump
    if call.level >= 6:
        return own.narrowed(33 - partner.low, 37).with_length(suit, 6)
    if call.level == partner.bids[0].level + 1:
        if suit is None:
            return own.narrowed(23 - partner.low, 24 - partner.low)
        return own.narrowed(0, 24 - partner.low).with_length(suit, 5)
    return own.narrowed(25 - partner.low, 37).with_length(suit, 6 if call.level >= 4 else 5)


def _rebid(own: Promise, partner: Promise, call: Call, jump: int) -> Promise:
    """Return the promise of a later bid of a player who has bid before."""
    suit = call.denomination.trump
    opened = own.bids[0].level == 1 and own.low == 12 and len(own.bids) == 1
    if suit is None:
        if opened and call.level < 3:
            return own.narrowed(*((18, 19) if jump else (12, 14)))
        return own
    if own.lengths[suit] >= 4:
        promise = own.with_length(suit, 6) if not partner.lengths[suit] else own
        return promise.narrowed(*((16, 18) if jump else (12, 15))) if opened else promise
    if partner.lengths[suit] >= 4:
        promise = own.with_length(suit, 4 if partner.lengths[suit] == 4 else 3)
        if not opened:
            return promise
        return promise.narrowed(*((12, 14), (15, 17), (18, 21))[min(jump, 2)])
    return own.with_length(suit, 4)
