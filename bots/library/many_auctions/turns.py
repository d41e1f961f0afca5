"""Turns to call on many boards at once: what `Bot.call_many` is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, masks
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import SEATS, Vulnerability

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
