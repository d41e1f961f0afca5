"""Examples to learn from: two hands, and the points of every contract that one of them declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Rows, joined
from bridge_arena.bots.library.learning.hands import Hands
from bridge_arena.bots.library.learning.run import measured_pairs
from bridge_arena.bots.library.learning.scores import expected_points, points_of, points_table
from bridge_arena.bots.library.tricks.net import TricksNet
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.solved_deals import SolvedDeals

SCALE = 10
"""The factor by which points are multiplied when kept, as in Prorok's work."""

_LEAST, _MOST = -32768, 32767
"""The limits of 16 bits; 13 down doubled lies beyond them."""

CHUNK = 20_000
"""Pairs that are estimated at once."""


@dataclass(frozen=True, slots=True)
class Examples(Rows):
    """n examples."""

    east: Hands  # the hands that declare, n×52
    west: Hands  # their partners' hands, n×52
    # Ten times the points of each contract with East as declarer, not vulnerable, and doubled if it
    # goes down by more than two, n×36.
    scores: NDArray[np.int16]
    # The number of the deal of each example, n; layouts of the same hands of East and West are one
    # deal.
    deal: NDArray[np.int64]


def of_solved(solved: Iterable[SolvedDeals]) -> Examples:
    """Return four examples of each deal: every seat is East once, with its partner as West."""
    # Deals in which North and South hold the same hands count as one deal.
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


def estimated(
    net: TricksNet, rng: np.random.Generator, pairs: int, folder: Path | None = None
) -> Iterator[Examples]:
    """Yield two examples of each of some random pairs of hands: either hand is East once.

    Their points are the expected ones by the estimate of tricks; `CHUNK` pairs come at a time. The
    folder keeps the points, so that none are estimated twice; None keeps none. Raises TrainingError
    if a file of the folder is damaged.
    """

    def measure(hands: Hands, partners: Hands) -> NDArray[np.int16]:
        return _kept(expected_points(net.estimate(hands, partners).distribution()))

    first = 0
    for hands, partners, scores in measured_pairs(rng, pairs, CHUNK, folder, measure, 2, None):
        deal = np.arange(first, first + len(hands))
        first += len(hands)
        yield joined(
            [
                Examples(hands, partners, scores[:, 0], deal),
                Examples(partners, hands, scores[:, 1], deal),
            ]
        )


def _numbers(every: list[SolvedDeals]) -> list[NDArray[np.int64]]:
    """Return the numbers of the deals, in the order in which their hands first appear."""
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
