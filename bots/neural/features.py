"""What the network sees: a hand, and the auction from where its owner sits.

The hand is as in `bots.deepq.features`. Of the auction: for each seat, from the viewer
clockwise, the bids that it made, doubled and redoubled, and whether it passed before the first
bid; the last bid, whose side made it, its risk, how many passed after it; and who is
vulnerable. As in OpenSpiel's bridge, but for the last bid and what follows, which are in the
rest too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.neural.auctions import BIDS, MARKS, Auctions

PUBLIC = 4 * MARKS + 4 + BIDS + 2 + 2 + 3 + 2
"""Seats' marks, passes before the first bid, the last bid, whose it is (the viewer's side's,
the other's), doubled and redoubled, 1 to 3 passes, vulnerable (the viewer's side, the other)."""


def public(auctions: Auctions, vulnerable: NDArray[np.bool_], viewer: int) -> NDArray[np.uint8]:
    """What seat `viewer` knows without its cards, n×`PUBLIC` of 0 and 1. `vulnerable`: n×2, the
    dealer's side and the other."""
    number = len(auctions)
    seen = np.zeros((number, PUBLIC), np.uint8)
    rows = np.arange(number)
    for seat in range(4):
        held = (viewer + seat) % 4
        seen[:, MARKS * seat : MARKS * (seat + 1)] = auctions.marks[:, held]
        seen[:, 4 * MARKS + seat] = auctions.opening_passes > held
    at = 4 * MARKS + 4
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
