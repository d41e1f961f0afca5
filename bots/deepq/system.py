"""The learned bidding as a bidding system, for auctions in which the opponents pass."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bridge_arena.bots.deepq import meanings, net
from bridge_arena.bots.deepq.search import Search
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.learning.learned_system import LearnedSystem
from bridge_arena.bots.library.tricks.net import shipped
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, FIRST_BID, PASS, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability

_WEIGHED = 5
"""The number of calls that are told with their costs."""


class Learned(LearnedSystem):
    """The system that bids by the networks as long as the opponents only pass.

    When an opponent bids, or the partners have made as many calls as there are networks, it bids as
    `natural` does. The networks were trained for not vulnerable, and the system always bids so.
    `worlds` is how many hands of partner to look at for a bid; with 0 the networks decide alone.
    `weights` is a file of networks, with that of their meanings beside it; None for the shipped.
    """

    def __init__(self, worlds: int = 0, weights: Path | None = None) -> None:
        super().__init__()
        if weights is None:
            self._nets, self._meanings = net.shipped(), meanings.shipped()
        else:
            self._nets = net.QNets.read(weights)
            self._meanings = meanings.Meanings.read(weights.with_name("meanings.npz"))
        self._search = Search(self._nets, shipped(), worlds) if worlds else None

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the call of `auction.turn`."""
        bids = bids_of(auction, auction.turn)
        if bids is None:
            return self._natural.call(hand, auction, vulnerability)
        return PASS if self._is_over(bids) else _call_of(self._bid(hand, bids), bids)

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """Return the chosen call, and those that cost at most half an IMP more."""
        bids = bids_of(auction, auction.turn)
        if bids is None:
            natural = self._natural.options(hand, auction, vulnerability)
            calls = [made.call for made in natural]
        elif self._is_over(bids):
            calls = [PASS]
        else:
            costs = self._costs(hand, bids)
            order = np.argsort(costs, kind="stable")
            calls = [_call_of(int(bid), bids) for bid in order if costs[bid] <= costs.min() + 0.5]
        return [self.made(call, auction, vulnerability) for call in calls]

    def weigh(
        self, hand: Hand, auction: Auction, vulnerability: Vulnerability
    ) -> dict[Call, float]:
        """Return what the networks expect the best calls to cost, in IMPs below 0."""
        del vulnerability
        bids = bids_of(auction, auction.turn)
        if bids is None or self._is_over(bids):
            return {}
        costs = self._costs(hand, bids)
        best = [bid for bid in np.argsort(costs, kind="stable") if costs[bid] < net.FORBIDDEN]
        return {_call_of(int(bid), bids): -float(costs[bid]) for bid in best[:_WEIGHED]}

    def meaning(self, before: Auction, call: Call) -> Explanation | None:
        """Return what a call of the networks tells; None if `natural` chose it."""
        bids = bids_of(before, before.turn)
        if bids is None:
            return None
        if self._is_over(bids):
            return Explanation("the auction is over")
        return self._meanings.explanation([*bids, _bid_of(call, bids)])

    def _is_over(self, bids: list[int]) -> bool:
        return len(bids) >= self._nets.calls or is_agreed(bids)

    def _bid(self, hand: Hand, bids: list[int]) -> int:
        if self._search is None:
            return int(self._costs(hand, bids).argmin())
        # A search depends on the hand and the auction only, not on earlier searches.
        rng = np.random.default_rng([hand.mask, *bids])
        return self._search.bid(hands_array([hand])[0], bids, rng)

    def _costs(self, hand: Hand, bids: list[int]) -> net.Array:
        made = net.bids_made(bids)[None]
        last = np.array([bids[-1] if bids else 0])
        costs: net.Array = self._nets.costs(len(bids), hands_array([hand]), made, last)[0]
        return costs


def bids_of(auction: Auction, seat: Seat) -> list[int] | None:
    """Return the calls of the seat's side as the networks number them; None if opponents call.

    A pass before any bid is 0, the bids are 1 to 35, and a later pass is the last bid repeated.
    """
    bids: list[int] = []
    caller = auction.dealer
    for call in auction.calls:
        if caller.side == seat.side:
            if call != PASS and call < FIRST_BID:
                return None
            bids.append(_bid_of(call, bids))
        elif call != PASS:
            return None
        caller = caller.next
    return bids


def is_agreed(bids: list[int]) -> bool:
    """Return whether the side has ended its auction: its last call agreed to the one before."""
    return len(bids) > 1 and bids[-1] == bids[-2]


def _bid_of(call: Call, bids: list[int]) -> int:
    if call == PASS:
        return bids[-1] if bids else 0
    return int(call) - FIRST_BID + 1


def _call_of(bid: int, bids: list[int]) -> Call:
    """Return the call for a bid after `bids`: Pass if it agrees to the last one."""
    agrees = bid == 0 or (bool(bids) and bid == bids[-1])
    return PASS if agrees else CALLS[FIRST_BID + bid - 1]
