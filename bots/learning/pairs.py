"""Pairs of hands with what each contract costs them, and the files that keep them.

A file is numpy's archive NAME.npz, not compressed, of two arrays with a row for each pair:

hands   uint8 n×2×52, 0 or 1: the cards of North and of South, in the order spades 2..A,
        hearts, diamonds, clubs
costs   float32 n×36: what Pass, 1C, 1D .. 7NT cost the pair, in IMPs (`bots.learning.scores`)

Numbers of other types are read too.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.learning.scores import CONTRACTS

_NAMES = ("North", "South")


class PairsError(ValueError):
    """A file does not hold pairs with their costs: one line names file, field and row."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of hands and the costs of their contracts, as in a file.

    `hands`: n×2×52, spades first (`bots.learning.hands.spades_first`). `costs`: n×36, in IMPs.
    """

    hands: NDArray[np.uint8]
    costs: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.hands)


def write_pairs(path: Path, pairs: Pairs) -> None:
    """Write a whole file, or nothing; the same pairs give the same bytes. Raises OSError."""
    archive = io.BytesIO()
    np.savez(archive, hands=pairs.hands, costs=pairs.costs)
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.write_bytes(archive.getbuffer())
    unfinished.replace(path)


def read_pairs(path: Path) -> Pairs:
    """The pairs of a file. Raises PairsError, OSError."""
    hands, costs = _arrays(path)
    if hands.ndim != 3 or hands.shape[1:] != (2, 52):
        raise PairsError(f"{path}: hands has the shape {hands.shape}, expected (n, 2, 52)")
    if costs.shape != (len(hands), CONTRACTS):
        raise PairsError(
            f"{path}: costs has the shape {costs.shape}, expected {(len(hands), CONTRACTS)}"
        )
    _check_hands(path, hands)
    with np.errstate(over="ignore"):
        costs = costs.astype(np.float32)
    wrong = ~(np.isfinite(costs) & (costs >= 0))
    if wrong.any():
        row, contract = np.argwhere(wrong)[0]
        cost = costs[row, contract]
        raise PairsError(f"{path}: costs, row {row}, contract {contract}: {cost} is no cost")
    return Pairs(hands.astype(np.uint8), costs)


def _arrays(path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    """The fields of a file: numbers, of any shape."""
    data = io.BytesIO(path.read_bytes())
    try:
        archive = np.load(data)
        hands, costs = archive["hands"], archive["costs"]
    except KeyError as error:
        raise PairsError(f"{path}: {error.args[0]}") from None
    except _BROKEN:
        raise PairsError(f"{path}: no file of pairs, or a damaged one") from None
    for name, field in (("hands", hands), ("costs", costs)):
        if not isinstance(field, np.ndarray) or field.dtype.kind not in "buif":
            raise PairsError(f"{path}: {name} is no array of numbers")
    return hands, costs


_BROKEN = (
    *(ValueError, IndexError, EOFError, MemoryError, OverflowError),
    *(NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error),
)
"""What numpy raises where a file is none of its archives."""


def _check_hands(path: Path, hands: NDArray[Any]) -> None:
    """Raises PairsError, naming the first row that is no pair of hands."""
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
