"""Auctions of `natural` against itself, to imitate: how they are made and kept.

Now and then a player makes the call that it would have made with another hand. So there are
auctions too that `natural` would not have by itself. What is imitated is always the call that it
would have made with its own hand.

A file is a numpy archive of `hands`, n×4×52 in bits; `vulnerable`, n×2; `calls`, n×calls, the calls
that were made, with -1 after the last; and `meant`, of the same shape, the calls that `natural`
would have made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError, joined, write_arrays
from bridge_arena.bots.library.learning.hands import hand_of
from bridge_arena.bots.library.many_auctions.auctions import Auctions, vulnerability
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bots.neural.net import public
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import Seat

SHARD = 1000
"""Auctions in a file."""

_ASTRAY = 0.05
"""The probability of a call made with another hand."""


class AuctionsError(ValueError):
    """The error of a file that does not hold auctions."""


@dataclass(frozen=True, slots=True)
class Bidden:
    """n boards with their auctions, as in a file."""

    boards: Boards
    calls: NDArray[np.int8]  # the calls that were made, n×calls, with -1 after the last
    # The calls that `natural` would have made, n×calls, with -1 where there is none.
    meant: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.boards)

    def rows(self, chosen: NDArray[np.integer]) -> Bidden:
        """Return some of the boards."""
        return Bidden(self.boards.rows(chosen), self.calls[chosen], self.meant[chosen])


def bidden(rng: np.random.Generator, number: int) -> Bidden:
    """Return random boards as `natural` bids them."""
    boards = Boards.random(rng, number)
    hands = [[hand_of(boards.hands[row, seat]) for seat in range(4)] for row in range(number)]
    system = Natural()
    made: list[list[int]] = []
    meant: list[list[int]] = []
    for row, four in enumerate(hands):
        vulnerable = vulnerability(*(bool(side) for side in boards.vulnerable[row]))
        auction = Auction(Seat.NORTH)
        meant.append([])
        while not auction.is_over:
            call = system.call(four[auction.turn], auction, vulnerable)
            meant[-1].append(int(call))
            if rng.random() < _ASTRAY:
                other: Hand = hands[rng.integers(number)][rng.integers(4)]
                call = system.call(other, auction, vulnerable)
            auction.push(call)
        made.append([int(call) for call in auction.calls])
    return Bidden(boards, _padded(made), _padded(meant))


def _padded(lists: list[list[int]]) -> NDArray[np.int8]:
    padded = np.full((len(lists), max(map(len, lists), default=0)), -1, np.int8)
    for row, calls in zip(padded, lists, strict=True):
        row[: len(calls)] = calls
    return padded


def shard_paths(folder: Path, number: int) -> list[Path]:
    """Return the files that hold the first `number` auctions, rounded up to whole files."""
    return [folder / f"auctions-{shard:05d}.npz" for shard in range(-(-number // SHARD))]


def make(paths: list[Path], seed: int, on_file: Callable[[int], None]) -> None:
    """Bid the auctions of the files that are missing."""
    for shard, path in enumerate(paths):
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            made = bidden(np.random.default_rng([seed, shard]), SHARD)
            write_arrays(
                path,
                {
                    "hands": np.packbits(made.boards.hands, axis=2),
                    "vulnerable": made.boards.vulnerable,
                    "calls": made.calls,
                    "meant": made.meant,
                },
            )
        on_file(shard + 1)


def read(paths: list[Path]) -> Bidden:
    """Read all auctions of some files, at least one."""
    parts = [_read(path) for path in paths]
    longest = max(part.calls.shape[1] for part in parts)

    def padded(arrays: list[NDArray[np.int8]]) -> NDArray[np.int8]:
        return np.concatenate(
            [
                np.pad(calls, ((0, 0), (0, longest - calls.shape[1])), constant_values=-1)
                for calls in arrays
            ]
        )

    return Bidden(
        joined(part.boards for part in parts),
        padded([part.calls for part in parts]),
        padded([part.meant for part in parts]),
    )


def _read(path: Path) -> Bidden:
    try:
        arrays = Arrays(path)
        bits = arrays.numbers("hands", SHARD, 4, 7).astype(np.uint8)
        vulnerable = arrays.numbers("vulnerable", SHARD, 2)
        calls = arrays.numbers("calls", SHARD, None)
        meant = arrays.numbers("meant", *calls.shape)
    except ArraysError as error:
        raise AuctionsError(str(error)) from None
    hands = np.unpackbits(bits, axis=2, count=52).astype(np.bool_)
    return Bidden(Boards(hands, vulnerable), calls, meant)


def turns(auctions: Bidden) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]:
    """Return all turns at which a call was meant, m."""
    state, on = Auctions(len(auctions)), np.arange(len(auctions))
    hands: list[NDArray[np.int64]] = []
    known: list[NDArray[np.uint8]] = []
    meant: list[NDArray[np.int64]] = []
    while len(on):
        made = state.made
        its = auctions.meant[on, made].astype(np.int64)
        rows = np.flatnonzero(its >= 0)
        hands.append(4 * on[rows] + state.turn)
        known.append(public(state.rows(rows), auctions.boards.vulnerable[on[rows]], state.turn))
        meant.append(its[rows])
        state.push(auctions.calls[on, made].astype(np.int64))
        going = np.flatnonzero(~state.over)
        state, on = state.rows(going), on[going]
    return np.concatenate(hands), np.concatenate(known), np.concatenate(meant)
