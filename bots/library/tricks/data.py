"""The data of the estimate: pairs of hands whose tricks are known.

There are two kinds. Deals solved once give both sides' hands with whole tricks. Pairs with mean
tricks over several layouts of the other two hands are in files of the BridgeHand2Vec data:
`;N;S;NC;ND;NH;NS;NNT;SC;SD;SH;SS;SNT`, with North as declarer, then South.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Rows, joined
from bridge_arena.bots.library.learning.hands import Hands, hands_array, read_rows
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.solved_deals import SolvedDeals

_TRICKS = [
    f"{declarer}{denomination}" for denomination in "C D H S NT".split() for declarer in "NS"
]


class MeansError(ValueError):
    """The error of a file that lacks pairs with mean tricks: one line names file and line."""


@dataclass(frozen=True, slots=True)
class Known(Rows):
    """n pairs of hands whose tricks are known."""

    hands: Hands  # the first hands, n×52
    partners: Hands  # the second hands, n×52
    # The tricks, n×5×2: denominations from clubs, with the first hand's owner as declarer and with
    # the second's.
    tricks: NDArray[np.float32]


def of_deals(solved: SolvedDeals) -> Known:
    """Return the pairs of both sides of solved deals."""
    sides = ((Seat.NORTH, Seat.SOUTH), (Seat.EAST, Seat.WEST))
    return joined(
        Known(
            solved.hands(first),
            solved.hands(second),
            solved.tricks[:, :, [int(first), int(second)]].astype(np.float32),
        )
        for first, second in sides
    )


def read_means(path: Path) -> Known:
    """Read pairs, at least one, from a file with mean tricks."""
    rows = read_rows(path, lambda row: (*_pair(row), _means(row)), MeansError)
    if not rows:
        raise MeansError(f"{path}: there are no pairs of hands")
    hands, partners, tricks = zip(*rows, strict=True)
    by_declarer = np.array(tricks, np.float32).reshape(-1, 5, 2)
    return Known(hands_array(hands), hands_array(partners), by_declarer)


def _pair(row: Mapping[str, str | None]) -> tuple[Hand, Hand]:
    """Return the hands of a row, or raise KeyError, ValueError or BridgeError."""
    hand, partner = (Hand.parse(row[name] or "") for name in "NS")
    for held in (hand, partner):
        if len(held) != 13:
            raise ValueError(f"a hand of {len(held)} cards, not 13")
    if hand.mask & partner.mask:
        raise ValueError("both hands hold the same card")
    return hand, partner


def _means(row: Mapping[str, str | None]) -> list[float]:
    """Return the numbers of tricks of a row, or raise KeyError or ValueError."""
    means: list[float] = []
    for name in _TRICKS:
        text = row[name]
        try:
            means.append(float(text or ""))
        except ValueError:
            means.append(float("nan"))
        if not 0 <= means[-1] <= 13:
            raise ValueError(f"{text!r} is no number of tricks")
    return means
