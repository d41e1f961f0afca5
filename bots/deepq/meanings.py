"""The meanings of the learned bids: the hands that make them in the networks' own auctions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.deepq.net import QNets
from bridge_arena.bots.library.learning.arrays import Arrays, read_shipped, write_arrays
from bridge_arena.bots.library.learning.hands import points_and_lengths, random_pairs
from bridge_arena.bridge.cards import SUITS
from bridge_arena.bridge.explanation import Explanation

SELDOM = 0.005
"""The share of hands at either end that a range leaves out."""

_ENOUGH = 500
"""The number of auctions that a meaning needs."""

_FORCING = 0.01
"""The largest share of partner's hands that may agree to a bid that is called forcing."""


class Meanings:
    """The meanings of auctions: what each tells about the hand that made its last bid."""

    def __init__(self, auctions: NDArray[np.int8], ranges: NDArray[np.uint8]) -> None:
        self._auctions = auctions  # the bids of each, m×calls, with -1 after the last bid
        # The fewest and the most high-card points, then the fewest and the most clubs, diamonds,
        # hearts and spades, then whether the bid is forcing, m×11.
        self._ranges = ranges
        self._ranges_of = {
            tuple(int(bid) for bid in auction if bid >= 0): row
            for auction, row in zip(auctions, ranges, strict=True)
        }

    def __len__(self) -> int:
        return len(self._ranges_of)

    @classmethod
    def read(cls, path: Path) -> Meanings:
        """Read the meanings from a file."""
        arrays = Arrays(path)
        auctions = arrays.numbers("auctions", None, None)
        return cls(auctions, arrays.numbers("ranges", len(auctions), 11))

    def write(self, path: Path) -> None:
        """Write the meanings to a file."""
        write_arrays(path, {"auctions": self._auctions, "ranges": self._ranges}, compress=True)

    def explanation(self, bids: Sequence[int]) -> Explanation:
        """Return what the last bid of one side's auction tells, given the bids before it."""
        row = self._ranges_of.get(tuple(bids))
        if row is None:
            return Explanation("rare in the learned system")
        ranges = [(int(row[at]), int(row[at + 1])) for at in range(0, 10, 2)]
        denomination = (bids[-1] - 1) % 5
        is_suit = bids[-1] > 0 and denomination < 4 and bids[-1] not in bids[:-1]
        return Explanation(
            "learned",
            hcp=ranges[0],
            lengths=dict(zip(SUITS, ranges[1:], strict=True)),
            forcing=bool(row[10]),
            artificial=is_suit and ranges[1 + denomination][0] < 3,
        )


def learned(
    nets: QNets,
    rng: np.random.Generator,
    pairs: int,
    on_bidden: Callable[[int], None],
    batch: int = 20_000,
) -> Meanings:
    """Return the meanings of the bids in the networks' auctions of random pairs of hands."""
    made: list[NDArray[np.int8]] = []
    shown: list[NDArray[np.uint8]] = []
    for start in range(0, pairs, batch):
        on_bidden(start)
        two = random_pairs(rng, batch)
        made.append(nets.bid(*two).bids)
        shown.append(np.stack([points_and_lengths(hands) for hands in two], axis=1))
    on_bidden(pairs)
    bids, measures = np.concatenate(made), np.concatenate(shown)
    auctions: list[NDArray[np.int8]] = []
    ranges: list[NDArray[np.uint8]] = []
    for call in range(bids.shape[1]):
        there = np.flatnonzero(bids[:, call] >= 0)
        if not len(there):
            break
        begun, group = np.unique(bids[there, : call + 1], axis=0, return_inverse=True)
        order = np.argsort(group, kind="stable")
        ends = np.cumsum(np.bincount(group, minlength=len(begun)))
        for auction, start, end in zip(begun, [0, *ends[:-1]], ends, strict=True):
            if end - start < _ENOUGH:
                continue
            rows = there[order[start:end]]
            hands = measures[rows, call % 2]
            low = np.quantile(hands, SELDOM, axis=0, method="lower")
            high = np.quantile(hands, 1 - SELDOM, axis=0, method="higher")
            is_last = call + 1 == bids.shape[1]
            agreed = 1.0 if is_last else (bids[rows, call + 1] == auction[-1]).mean()
            forces = agreed < _FORCING and (call == 0 or auction[-1] != auction[-2])
            ends_of_ranges = np.stack([low, high], axis=1).reshape(-1)
            auctions.append(np.pad(auction, (0, bids.shape[1] - call - 1), constant_values=-1))
            ranges.append(np.append(ends_of_ranges, forces).astype(np.uint8))
    return Meanings(np.array(auctions, np.int8), np.array(ranges, np.uint8))


@lru_cache(maxsize=1)
def shipped() -> Meanings:
    """Return the meanings that ship with the networks."""
    return read_shipped("bridge_arena.bots.deepq", Meanings.read, "meanings.npz")
