"""The learned bidding as a system: while the opponents pass."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bridge_arena.bots.deepq import meanings, net
from bridge_arena.bots.deepq.search import Search
from bridge_arena.bots.library.learning.continued import continued
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.tricks.net import shipped
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, FIRST_BID, PASS, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability

_WEIGHED = 5
"""How many calls are told with what they cost."""


class Learned:
    """What the networks bid as long as the opponents only pass; after that, and where both
    have bid as often as the networks know, as `natural` does. It was learned not vulnerable,
    and bids so always."""

    def __init__(self, worlds: int = 0, weights: Path | None = None) -> None:
        """`worlds`: hands of partner to look at for a bid; 0: the networks decide alone.
        `weights`: a file of networks, what their bids mean beside it; those that ship if none.
        Raises ArraysError, OSError."""
        if weights is None:
            self._nets, self._meanings = net.shipped(), meanings.shipped()
        else:
            self._nets = net.QNets.read(weights)
            self._meanings = meanings.Meanings.read(weights.with_name("meanings.npz"))
        self._natural = Natural()
        self._search = Search(self._nets, shipped(), worlds) if worlds else None

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """The call of `auction.turn`."""
        bids = bids_of(auction, auction.turn)
        if bids is None:
            call = self._natural.choose(hand, auction, vulnerability).call
        elif self._is_over(bids):
            call = PASS
        else:
            call = _call_of(self._bid(hand, bids), bids)
        return self._made(call, auction, vulnerability)

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """The choice, and what costs at most half an IMP more."""
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
        return [self._made(call, auction, vulnerability) for call in calls]

    def weigh(
        self, hand: Hand, auction: Auction, vulnerability: Vulnerability
    ) -> dict[Call, float]:
        """What the networks expect the best calls to cost in IMPs, below 0."""
        del vulnerability
        bids = bids_of(auction, auction.turn)
        if bids is None or self._is_over(bids):
            return {}
        costs = self._costs(hand, bids)
        best = [bid for bid in np.argsort(costs, kind="stable") if costs[bid] < net.FORBIDDEN]
        return {_call_of(int(bid), bids): -float(costs[bid]) for bid in best[:_WEIGHED]}

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """What each call told, both sides read as if they bid so: the learned ones what is
        measured, those of `natural` what they add to it."""
        learned: list[Explanation | None] = []
        so_far = Auction(auction.dealer)
        for call in auction.calls:
            bids = bids_of(so_far, so_far.turn)
            so_far.push(call)
            if bids is None:
                learned.append(None)
            elif self._is_over(bids):
                learned.append(Explanation("the auction is over"))
            else:
                learned.append(self._meanings.explanation([*bids, _bid_of(call, bids)]))
        return continued(auction, vulnerability, learned)

    def _is_over(self, bids: list[int]) -> bool:
        return len(bids) >= self._nets.calls or is_agreed(bids)

    def _bid(self, hand: Hand, bids: list[int]) -> int:
        if self._search is None:
            return int(self._costs(hand, bids).argmin())
        # The same hand and auction are searched alike, whatever came before.
        rng = np.random.default_rng([hand.mask, *bids])
        return self._search.bid(hands_array([hand])[0], bids, rng)

    def _costs(self, hand: Hand, bids: list[int]) -> net.Array:
        made = net.bids_made(bids)[None]
        last = np.array([bids[-1] if bids else 0])
        costs: net.Array = self._nets.costs(len(bids), hands_array([hand]), made, last)[0]
        return costs

    def _made(self, call: Call, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        after = Auction(auction.dealer, [*auction.calls, call])
        explanation = self.explain(after, vulnerability)[-1]
        return MadeCall(call, alert=explanation.artificial, explanation=explanation)


def bids_of(auction: Auction, seat: Seat) -> list[int] | None:
    """The calls of the seat's side, as the networks count them: 0 a pass before any bid, 1 to 35
    the bids, a pass later the bid repeated. None where an opponent has not passed."""
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
    """Whether the side has ended its auction: the last call agreed to the one before."""
    return len(bids) > 1 and bids[-1] == bids[-2]


def _bid_of(call: Call, bids: list[int]) -> int:
    if call == PASS:
        return bids[-1] if bids else 0
    return int(call) - FIRST_BID + 1


def _call_of(bid: int, bids: list[int]) -> Call:
    """How a bid after these is called: Pass where it agrees to the last."""
    agrees = bid == 0 or (bool(bids) and bid == bids[-1])
    return PASS if agrees else CALLS[FIRST_BID + bid - 1]
