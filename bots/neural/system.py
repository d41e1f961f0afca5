"""The learned bidding as a bidding system."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.many_auctions.auctions import (
    Auctions,
    Calls,
    Turns,
    state_of,
    vulnerable_of,
)
from bridge_arena.bots.neural.meanings import explanations
from bridge_arena.bots.neural.net import FORBIDDEN, Array, Nets, public, shipped
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability

_CLOSE = 1.0
"""A decision is close if another call is rated lower than the best by at most these IMPs."""

_CANDIDATES = 4
"""The most calls of a close decision."""

_WEIGHED = 5
"""The number of calls that are told with their ratings."""


class Neural:
    """The system that bids as the first network of `nets` rates calls; the second explains them."""

    def __init__(self, nets: Nets | None = None) -> None:
        self._nets = nets or shipped()
        # What the auctions told that were read together last.
        self._read: dict[_Key, list[Explanation]] = {}

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the call that is rated highest."""
        return CALLS[self._ratings(hand, auction, vulnerability).argmax()]

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """Return the call that is rated highest, with its explanation."""
        return self._made([self.call(hand, auction, vulnerability)], auction, vulnerability)[0]

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """Return the choice, then the calls that are rated nearly as high."""
        ratings = self._ratings(hand, auction, vulnerability)
        close = ratings >= ratings.max() - _CLOSE
        order = np.argsort(-ratings, kind="stable")[:_CANDIDATES]
        return self._made([CALLS[call] for call in order if close[call]], auction, vulnerability)

    def weigh(
        self, hand: Hand, auction: Auction, vulnerability: Vulnerability
    ) -> dict[Call, float]:
        """Return the ratings of the best calls, whose differences are IMPs."""
        ratings = self._ratings(hand, auction, vulnerability)
        best = np.argsort(-ratings, kind="stable")[:_WEIGHED]
        return {CALLS[call]: float(ratings[call]) for call in best if ratings[call] > FORBIDDEN}

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """Return what each call told, with both sides read as if the networks bid for them."""
        known = self._read.get(_key(auction, vulnerability))
        return self._explained([(auction, vulnerability)])[0] if known is None else list(known)

    def read_many(self, auctions: Sequence[tuple[Auction, Vulnerability]]) -> None:
        """Read auctions, so that `explain` knows them until others are read (`ReadingMany`)."""
        keys = [_key(*read) for read in auctions]
        fresh = dict(zip(keys, auctions, strict=True))
        self._read = dict(zip(fresh, self._explained(list(fresh.values())), strict=True))

    def call_many(self, turns: Turns) -> Calls:
        """Return the calls that are rated highest, as `choose` does for each."""
        known = public(turns.auctions, turns.vulnerable, turns.auctions.turn)
        return self._nets.best(turns.hands, known, turns.auctions)

    def _explained(
        self, auctions: Sequence[tuple[Auction, Vulnerability]]
    ) -> list[list[Explanation]]:
        features: list[NDArray[np.uint8]] = []
        for auction, vulnerability in auctions:
            vulnerable = vulnerable_of(auction, vulnerability)
            state = Auctions(1)
            for call in auction.calls:
                seat = state.turn
                state.push(np.array([call]))
                features.append(public(state, vulnerable, seat))
        if not features:
            return [[] for _ in auctions]
        calls = [call for auction, _ in auctions for call in auction.calls]
        explained = iter(explanations(self._nets, calls, np.concatenate(features)))
        return [list(islice(explained, len(auction.calls))) for auction, _ in auctions]

    def _ratings(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Array:
        state = state_of(auction)
        known = public(state, vulnerable_of(auction, vulnerability), state.turn)
        ratings = self._nets.ratings(hands_array([hand]), known)
        rated: Array = np.where(state.legal(), ratings, FORBIDDEN)[0]
        return rated

    def _made(
        self, calls: list[Call], auction: Auction, vulnerability: Vulnerability
    ) -> list[MadeCall]:
        """Return calls with what each of them would tell."""
        state = state_of(auction)
        seat = state.turn
        after = state.rows(np.zeros(len(calls), np.int64))
        after.push(np.array(calls))
        vulnerable = vulnerable_of(auction, vulnerability).repeat(len(calls), axis=0)
        explained = explanations(self._nets, calls, public(after, vulnerable, seat))
        return [
            MadeCall(call, alert=explanation.artificial, explanation=explanation)
            for call, explanation in zip(calls, explained, strict=True)
        ]


_Key = tuple[Seat, Vulnerability, tuple[Call, ...]]


def _key(auction: Auction, vulnerability: Vulnerability) -> _Key:
    return auction.dealer, vulnerability, tuple(auction.calls)
