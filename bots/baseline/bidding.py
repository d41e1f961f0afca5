"""Simple sound bidding: natural, to game with 25 points together, to slam with 33.

One of a suit shows four cards or more, and 1NT 15 to 17 points. Raises show a fit, and a new suit
is forcing for one round. The system never doubles and has no conventions.

`read` goes through an auction and keeps what the calls of each seat have promised: points and least
suit lengths. The bidder reads partner's calls with it and explains its own calls with it, so the
two always agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import DENOMINATIONS, FIRST_BID, PASS, Call, Denomination
from bridge_arena.bridge.cards import SUITS, SUITS_DOWN, Hand, Suit
from bridge_arena.bridge.evaluation import hcp, is_balanced, longest_suit, suit_hcp
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability

GAME, SLAM, GRAND = 25, 33, 37
"""The points that two hands together need for a game, a small slam and a grand slam."""

OPENING = 12  # the points that an opening bid needs


class Simple:
    """The simple system: it weighs no alternatives and takes no account of the vulnerability."""

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        del vulnerability
        call = _Bidder(auction.turn, hand, auction.dealer, auction.calls).choose()
        return call if auction.is_legal(call) else PASS

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        call = self.call(hand, auction, vulnerability)
        if call == PASS:
            return MadeCall(PASS)
        after = Auction(auction.dealer, [*auction.calls, call])
        return MadeCall(call, explanation=self.explain(after, vulnerability)[-1])

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        return [self.choose(hand, auction, vulnerability)]

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        del vulnerability
        promises = promises_by_call(auction.dealer, auction.calls)
        bids = (place for place, call in enumerate(auction.calls) if call.is_bid)
        passes = next(bids, len(promises))  # before the first bid
        return [
            (promise.narrowed(0, OPENING - 1) if place % 4 < passes else promise).explanation()
            for place, promise in enumerate(promises)
        ]


class _Bidder:
    """One decision: the hand, and what the auction has told so far."""

    def __init__(self, seat: Seat, hand: Hand, dealer: Seat, calls: Sequence[Call]) -> None:
        promises = read(dealer, calls)
        self.hand = hand
        self.hcp = hcp(hand)
        self.own = promises[seat]
        self.partner = promises[seat.partner]
        self.opponents = (promises[seat.next], promises[seat.previous])
        bids = [call for call in calls if call.is_bid]
        self.last = bids[-1] if bids else PASS

    def choose(self) -> Call:
        if not self.own.bids and not self.partner.bids:
            if any(opponent.bids for opponent in self.opponents):
                return self._overcall()
            return self._open()
        if not self.own.bids:
            return self._respond()
        if not self.partner.bids:
            return PASS
        if len(self.own.bids) == 1 and len(self.partner.bids) == 1 and self._is_new_suit():
            return self._describe()
        return self._settle()

    # The first bid of a side.

    def _open(self) -> Call:
        balanced = is_balanced(self.hand)
        if balanced and 15 <= self.hcp <= 17:
            return Call.bid(1, Denomination.NOTRUMP)
        if balanced and 20 <= self.hcp <= 21:
            return Call.bid(2, Denomination.NOTRUMP)
        if self.hcp >= OPENING:
            return Call.bid(1, DENOMINATIONS[longest_suit(self.hand)])
        return PASS

    def _overcall(self) -> Call:
        theirs = [bid.denomination.trump for side in self.opponents for bid in side.bids]
        stopped = all(suit is None or suit_hcp(self.hand, suit) >= 3 for suit in theirs)
        if is_balanced(self.hand) and 15 <= self.hcp <= 18 and stopped:
            return self._cheapest(Denomination.NOTRUMP, up_to=1)
        suit = longest_suit(self.hand)
        if self.hand.length(suit) < 5 or suit in theirs or not 9 <= self.hcp <= 17:
            return PASS
        return self._cheapest(DENOMINATIONS[suit], up_to=1 if self.hcp < 11 else 2)

    # The first response to partner's bid.

    def _respond(self) -> Call:
        first = self.partner.bids[0]
        suit = first.denomination.trump
        if suit is None:
            return self._respond_to_notrump(first)
        if self.hcp < 6:
            return PASS
        if self._fit(suit):
            return self._raise(suit, first)
        overcalled = any(opponent.bids for opponent in self.opponents)
        for own in sorted(SUITS, key=lambda s: (-self.hand.length(s), s)):
            level = cheapest_level(self.last, DENOMINATIONS[own])
            needed = 5 if overcalled or level > 1 else 4
            if self.hand.length(own) >= needed and (level == 1 or (level == 2 and self.hcp >= 10)):
                return Call.bid(level, DENOMINATIONS[own])
        level = 1 if self.hcp < 10 else 2 if self.hcp < 13 else 3
        return self._exactly(level, Denomination.NOTRUMP)

    def _respond_to_notrump(self, first: Call) -> Call:
        together = self.hcp + self.partner.low
        major = max((Suit.HEARTS, Suit.SPADES), key=self.hand.length)
        length = self.hand.length(major)
        if together >= SLAM:
            return self._exactly(6, Denomination.NOTRUMP)
        if together >= GAME:
            if length >= 6:
                return self._exactly(4, DENOMINATIONS[major])
            if length == 5 and first.level == 1:
                return self._exactly(3, DENOMINATIONS[major])
            return self._exactly(3, Denomination.NOTRUMP)
        if together >= GAME - 2 and first.level == 1:
            return self._exactly(2, Denomination.NOTRUMP)
        if length >= 5 and first.level == 1:
            return self._exactly(2, DENOMINATIONS[major])
        return PASS

    def _raise(self, suit: Suit, first: Call) -> Call:
        strength = self.hcp + (1 if min(self.hand.lengths) <= 1 else 0)
        steps = 1 if strength < 10 else 2 if strength < 13 else 3
        level = min(first.level + steps, 4)
        denomination = DENOMINATIONS[suit]
        if steps == 3 and suit < Suit.HEARTS:
            if is_balanced(self.hand):
                return self._exactly(3, Denomination.NOTRUMP)
            return self._exactly(5, denomination)
        return self._exactly(level, denomination)

    # The opener's rebid after partner's new suit, which is forcing.

    def _is_new_suit(self) -> bool:
        theirs, mine = self.partner.bids[0].denomination, self.own.bids[0].denomination
        return Denomination.NOTRUMP not in (theirs, mine) and theirs != mine

    def _describe(self) -> Call:
        suit = self.partner.bids[0].denomination.trump
        if suit is not None and self._fit(suit):
            jump = 0 if self.hcp < 15 else 1 if self.hcp < 18 else 2
            top = 4 if suit >= Suit.HEARTS else 5
            level = cheapest_level(self.last, DENOMINATIONS[suit]) + jump
            return self._exactly(min(level, top), DENOMINATIONS[suit])
        first = self.own.bids[0].denomination
        mine = longest_suit(self.hand)
        strong = self.hcp >= 16
        if self.hand.length(mine) >= 6:
            return self._exactly(cheapest_level(self.last, first) + strong, first)
        if is_balanced(self.hand):
            jump = 1 if self.hcp >= 18 else 0
            level = cheapest_level(self.last, Denomination.NOTRUMP) + jump
            return self._exactly(min(level, 3), Denomination.NOTRUMP)
        for other in SUITS:
            denomination = DENOMINATIONS[other]
            if self.hand.length(other) < 4 or denomination == first or other == suit:
                continue
            level = cheapest_level(self.last, denomination)
            if level <= 2 and (denomination < first or level == 1 or strong):
                return Call.bid(level, denomination)
        if self.hand.length(mine) >= 5:
            return self._cheapest(first, up_to=3)
        return self._cheapest(Denomination.NOTRUMP, up_to=2)

    # All later bids: they settle the denomination and the level.

    def _settle(self) -> Call:
        low, high = self.hcp + self.partner.low, self.hcp + self.partner.high
        where = self._best_denomination()
        together = min(high, (low + high) // 2) if self.partner.high < 37 else low + 1
        if low >= GRAND:
            return self._at_least(7, where)
        if low >= SLAM:
            return self._at_least(6, where)
        if together >= GAME or low >= GAME:
            return self._game(where, low)
        if self.partner.bids[-1:] != (self.last,):  # partner did not bid last
            return PASS
        if high >= GAME and low >= GAME - 3 and self.last.level < 3 and len(self.own.bids) < 3:
            level = 2 if where == Denomination.NOTRUMP else 3
            return self._exactly(level, where)
        if self.last.denomination != where and self._prefers(where):
            return self._cheapest(where, up_to=self.last.level + (self.last.level < 3))
        return PASS

    def _game(self, where: Denomination, low: int) -> Call:
        if where in (Denomination.HEARTS, Denomination.SPADES):
            return self._at_least(4, where)
        if where != Denomination.NOTRUMP and low >= GAME + 4 and not is_balanced(self.hand):
            return self._at_least(5, where)
        return self._at_least(3, Denomination.NOTRUMP)

    def _best_denomination(self) -> Denomination:
        """Return a major fit, a minor fit if the hand is unbalanced, else notrump."""
        fits = [suit for suit in SUITS_DOWN if self._fit(suit)]
        if fits and (fits[0] >= Suit.HEARTS or not is_balanced(self.hand)):
            return DENOMINATIONS[fits[0]]
        return Denomination.NOTRUMP

    def _prefers(self, where: Denomination) -> bool:
        """Return whether leaving partner's last suit for `where` is an improvement."""
        suit = self.last.denomination.trump
        if suit is None:
            return where != Denomination.NOTRUMP and not is_balanced(self.hand)
        if where != Denomination.NOTRUMP:
            return True
        return self._together(suit) < 7

    def _fit(self, suit: Suit) -> bool:
        return self.partner.lengths[suit] > 0 and self._together(suit) >= 8

    def _together(self, suit: Suit) -> int:
        return self.hand.length(suit) + self.partner.lengths[suit]

    # The bid that is wanted if it can still be made, otherwise Pass.

    def _exactly(self, level: int, denomination: Denomination) -> Call:
        if level > 7:
            return PASS
        call = Call.bid(level, denomination)
        return call if call > self.last else PASS

    def _at_least(self, level: int, denomination: Denomination) -> Call:
        """Return a bid at `level`, or Pass if this side's last bid is that high already."""
        bid_by_us = self.last in self.own.bids or self.last in self.partner.bids
        if bid_by_us and self.last.level >= level:
            return PASS
        return self._exactly(level, denomination)

    def _cheapest(self, denomination: Denomination, up_to: int) -> Call:
        level = cheapest_level(self.last, denomination)
        return Call.bid(level, denomination) if level <= up_to else PASS


@dataclass(frozen=True, slots=True)
class Promise:
    low: int = 0  # the fewest high-card points
    high: int = 37  # the most high-card points
    # The least lengths of clubs, diamonds, hearts and spades.
    lengths: tuple[int, ...] = (0, 0, 0, 0)
    bids: tuple[Call, ...] = ()  # the bids made, in order

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
        return replace(self, lengths=tuple(lengths))

    def balanced(self) -> Promise:
        """Return the promise with at least two cards in each suit."""
        return replace(self, lengths=tuple(max(2, length) for length in self.lengths))

    def explanation(self) -> Explanation:
        lengths = {suit: (self.lengths[suit], 13) for suit in SUITS if self.lengths[suit]}
        return Explanation("natural", (self.low, self.high), lengths)


def read(dealer: Seat, calls: Sequence[Call]) -> list[Promise]:
    """Return what each seat, indexed by Seat, has promised by its calls so far."""
    promises = [Promise()] * 4
    for index, promise in enumerate(promises_by_call(dealer, calls)):
        promises[(dealer + index) % 4] = promise
    return promises


def promises_by_call(dealer: Seat, calls: Sequence[Call]) -> list[Promise]:
    """Return what the caller of each call has promised so far; only bids promise anything."""
    promises = [Promise()] * 4
    by_call: list[Promise] = []
    last = PASS
    for index, call in enumerate(calls):
        seat = SEATS[(dealer + index) % 4]
        if call.is_bid:
            jump = call.level - cheapest_level(last, call.denomination)
            promise = _bid(promises, seat, call, jump)
            promises[seat] = replace(promise, bids=(*promise.bids, call))
            last = call
        by_call.append(promises[seat])
    return by_call


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
