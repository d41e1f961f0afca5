"""Pairs of hands with the cost of each contract, and the files that keep them.

A file is a numpy archive NAME.npz, not compressed, of two arrays with a row for each pair:

hands   uint8 n×2×52, 0 or 1: the cards of North and of South, in the order spades 2..A,
        hearts, diamonds, clubs (`bots.library.learning.hands.spades_first`)
costs   float32 n×36: the cost of Pass, 1C, 1D .. 7NT for the pair, in IMPs
        (`bots.library.learning.scores`)

Numbers of other types are read too.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError, Rows, write_arrays
from bridge_arena.bots.library.learning.scores import CONTRACTS

_NAMES = ("North", "South")


class PairsError(ValueError):
    """The error of a file that lacks pairs with costs: one line names file, field and row."""


@dataclass(frozen=True, slots=True)
class Pairs(Rows):
    """n pairs of hands and the costs of their contracts, as in a file."""

    hands: NDArray[np.uint8]
    costs: NDArray[np.float32]


def write_pairs(path: Path, pairs: Pairs) -> None:
    """Write a whole file or nothing; the same pairs give the same bytes."""
    write_arrays(path, {"hands": pairs.hands, "costs": pairs.costs})


def read_pairs(path: Path) -> Pairs:
    """Read pairs from a file. Raises PairsError: the file does not hold pairs with costs."""
    try:
        arrays = Arrays(path)
        hands = arrays.numbers("hands", None, 2, 52)
        costs = arrays.numbers("costs", len(hands), CONTRACTS)
    except ArraysError as error:
        raise PairsError(str(error)) from None
    _check_hands(path, hands)
    with np.errstate(over="ignore"):
        costs = costs.astype(np.float32)
    wrong = ~(np.isfinite(costs) & (costs >= 0))
    if wrong.any():
        row, contract = np.argwhere(wrong)[0]
        cost = costs[row, contract]
        raise PairsError(f"{path}: costs, row {row}, contract {contract}: {cost} is no cost")
    return Pairs(hands.astype(np.uint8), costs)


def _check_hands(path: Path, hands: NDArray[Any]) -> None:
    """Raise PairsError if a row is not a pair of hands, and name the first such row."""
    held = hands == 1
    for row in np.flatnonzero(~(held | (hands == 0)).all(axis=(1, 2)))[:1]:
        raise PairsError(f"{path}: hands, row {row}: there is something but 0 and 1")
    sizes = held.sum(axis=2)
    for row, hand in np.argwhere(sizes != 13)[:1]:
        raise PairsError(
            f"{path}: hands, row {row}: {_NAMES[hand]} holds {sizes[row, hand]} cards, not 13"
        )
    for row in np.flatnonzero(held.all(axis=1).any(axis=1))[:1]:
        raise PairsError(f"{path}: hands, row {row}: both hold the same card")
