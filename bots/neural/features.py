"""The features of a hand and of an auction, as its player sees it.

The features of the hand are those of `bots.deepq.features`. Those of the auction are, for each seat
clockwise from the viewer, the bids that it made, doubled and redoubled, and whether it passed
before the first bid; then the last bid, the side that made it, its risk, the passes after it, and
the vulnerability. They are those of OpenSpiel's bridge, with the last bid and what follows it
added, which the others imply.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.auctions import BIDS, MARKS, Auctions

LAST_BID = 4 * MARKS + 4
"""Where the features of the last bid begin."""

PUBLIC = LAST_BID + BIDS + 2 + 2 + 3 + 2
"""The number of features of an auction.

They are the seats' marks, the passes before the first bid, the last bid, its side (the viewer's,
the other), doubled and redoubled, 1 to 3 passes, and vulnerable (the viewer's side, the other).
"""


def public(auctions: Auctions, vulnerable: NDArray[np.bool_], viewer: int) -> NDArray[np.uint8]:
    """Return what a seat knows without its cards.

    Args:
        auctions: The auctions, n.
        vulnerable: Whether the dealer's side and the other side are vulnerable, n×2.
        viewer: The seat.

    Returns:
        The features, n×`PUBLIC` of 0 and 1.
    """
    number = len(auctions)
    seen = np.zeros((number, PUBLIC), np.uint8)
    rows = np.arange(number)
    for seat in range(4):
        held = (viewer + seat) % 4
        seen[:, MARKS * seat : MARKS * (seat + 1)] = auctions.marks[:, held]
        seen[:, 4 * MARKS + seat] = auctions.opening_passes > held
    at = LAST_BID
    bid = np.flatnonzero(auctions.last)
    seen[bid, at + auctions.last[bid] - 1] = 1
    at += BIDS
    seen[bid, at + (auctions.bidder[bid] + viewer) % 2] = 1
    at += 2
    seen[:, at] = auctions.risk == 1
    seen[:, at + 1] = auctions.risk == 2
    at += 2
    passed = np.flatnonzero(auctions.passes)
    seen[passed, at + np.minimum(auctions.passes[passed], 3) - 1] = 1
    at += 3
    seen[rows, at] = vulnerable[:, viewer % 2]
    seen[rows, at + 1] = vulnerable[:, (viewer + 1) % 2]
    return seen
