"""Examples to learn from: two hands, and the points of every contract that one declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import joined
from bridge_arena.bots.library.learning.hands import Hands, random_pairs
from bridge_arena.bots.library.learning.scores import expected_points, points_of, points_table
from bridge_arena.bots.library.tricks.net import TricksNet
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.solved_deals import SolvedDeals

SCALE = 10
"""Points are kept times this, as Prorok did."""

_LEAST, _MOST = -32768, 32767
"""As far as 16 bits go: not to 13 down doubled."""

CHUNK = 20_000
"""Pairs that are estimated at once."""


@dataclass(frozen=True, slots=True)
class Examples:
    """`east`, `west`: the hands, n×52. `scores`: int16 n×36, ten times the points of each
    contract with East as declarer, not vulnerable, doubled where it is down more than two.
    `deal`: the number of its deal, n; layouts of East's and West's hands are the same deal."""

    east: Hands
    west: Hands
    scores: NDArray[np.int16]
    deal: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.deal)

    def where(self, kept: NDArray[np.bool_]) -> Examples:
        """Some of the examples."""
        return Examples(self.east[kept], self.west[kept], self.scores[kept], self.deal[kept])


def of_solved(solved: Iterable[SolvedDeals]) -> Examples:
    """Four examples of each deal: every seat is East once, its partner West. Deals in which
    North and South hold the same hands are one deal, wherever they are."""
    table = points_table()
    every = list(solved)
    return joined(
        Examples(
            deals.hands(seat),
            deals.hands(seat.partner),
            _kept(points_of(deals.tricks[:, :, seat], table)),
            number,
        )
        for deals, number in zip(every, _numbers(every), strict=True)
        for seat in SEATS
    )


def estimated(net: TricksNet, rng: np.random.Generator, pairs: int) -> Iterator[Examples]:
    """Two examples of each of so many random pairs of hands, some thousands at a time: either
    hand is East. The points are those to be expected by the estimate of tricks."""
    for first in range(0, pairs, CHUNK):
        number = min(CHUNK, pairs - first)
        hands, partners = random_pairs(rng, number)
        scores = expected_points(net.estimate(hands, partners).distribution())
        deal = np.arange(first, first + number)
        yield joined(
            [
                Examples(hands, partners, _kept(scores[:, 0]), deal),
                Examples(partners, hands, _kept(scores[:, 1]), deal),
            ]
        )


def _numbers(every: list[SolvedDeals]) -> list[NDArray[np.int64]]:
    """Of the deals of each part, by the first time that North and South hold such hands."""
    if not every:
        return []
    held = [np.hstack([deals.hands(Seat.NORTH), deals.hands(Seat.SOUTH)]) for deals in every]
    bits = np.concatenate([np.packbits(hands, axis=1) for hands in held])
    pairs = bits.view(np.dtype((np.void, bits.shape[1])))[:, 0]
    _, first, which = np.unique(pairs, return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return np.split(number[which], np.cumsum([len(deals) for deals in every])[:-1])


def _kept(points: NDArray[np.integer] | NDArray[np.floating]) -> NDArray[np.int16]:
    kept: NDArray[np.int16] = np.clip(np.rint(points * SCALE), _LEAST, _MOST).astype(np.int16)
    return kept
