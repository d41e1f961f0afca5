"""The split of a dataset that a deal belongs to, by a hash of its cards.

The same deal is in the same split of every dataset, whatever else is there. So are all layouts of
East's and West's cards with the same hands of North and South.
"""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat


class Split(StrEnum):
    """The splits of a dataset."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


SHARES = {Split.TRAIN: 80, Split.VALIDATION: 10, Split.TEST: 10}
"""The percentage of all deals that is in each split."""


def split_of(deal: Deal) -> Split:
    """Return the split of a deal."""
    text = f"bridge-arena split {deal[Seat.NORTH]} {deal[Seat.SOUTH]}"
    place = int.from_bytes(sha256(text.encode()).digest()[:8], "big") % 100
    for split, share in SHARES.items():
        if place < share:
            return split
        place -= share
    raise AssertionError("the shares are 100 percent")
