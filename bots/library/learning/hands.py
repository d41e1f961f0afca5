"""Many hands as arrays of 0 and 1, n×52, in the order of `bridge.cards` (clubs 2..A first)."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from itertools import islice, permutations
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.evaluation import hcp

Hands = NDArray[np.bool_]

_T = TypeVar("_T", bound=np.generic)
_Row = TypeVar("_Row")

POINTS = np.array([hcp(Hand(1 << card)) for card in range(52)], np.int64)
"""The high-card points of each card."""


_SUIT_ORDERS = np.array(list(permutations(range(4))))

_AT_ONCE = 20_000
"""Pairs that are dealt at once."""

LONGEST = 8

MOST_POINTS = 24

FEATURES = 52 + 4 * LONGEST + MOST_POINTS
"""The number of features of a hand: its 52 cards; for each suit, whether it has at least 1, 2 ...
`LONGEST` cards; and whether there are at least 1, 2 ... `MOST_POINTS` high-card points."""


def hands_array(hands: Iterable[Hand]) -> Hands:
    """Return the hands as rows."""
    masks = np.array([hand.mask for hand in hands], np.uint64)
    return (masks[:, None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)).astype(np.bool_)


def read_rows(
    path: Path,
    read: Callable[[Mapping[str, str | None]], _Row],
    kind: type[ValueError],
    most: int | None = None,
) -> list[_Row]:
    """Return what `read` makes of the rows of a file of hands, whose columns semicolons divide.

    An error of the `kind` names file and line; `read` raises KeyError, ValueError or BridgeError.
    """
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        reader = csv.DictReader(file, delimiter=";")
        try:
            return [read(row) for row in islice(reader, most)]
        except (KeyError, ValueError, BridgeError, csv.Error) as error:
            what = f"no column {error}" if isinstance(error, KeyError) else error
            raise kind(f"{path}, line {reader.line_num}: {what}") from None


def masks(hands: Hands) -> NDArray[np.uint64]:
    """Return the hands as sets of bits (`bridge.cards.Hand.mask`), n."""
    powers = np.uint64(1) << np.arange(52, dtype=np.uint64)
    sets: NDArray[np.uint64] = (hands * powers).sum(axis=1, dtype=np.uint64)
    return sets


def hand_of(row: Hands) -> Hand:
    return Hand(sum(1 << int(card) for card in np.flatnonzero(row)))


def random_pairs(rng: np.random.Generator, number: int) -> tuple[Hands, Hands]:
    """Return the hands of two partners, `number` times, all equally likely."""
    pairs = np.zeros((2, number, 52), np.bool_)
    for first in range(0, number, _AT_ONCE):
        some = pairs[:, first : first + _AT_ONCE]
        order = rng.random(some.shape[1:]).argpartition((12, 25), axis=1)
        for held, start in zip(some, (0, 13), strict=True):
            np.put_along_axis(held, order[:, start : start + 13], values=True, axis=1)
    return pairs[0], pairs[1]


def lengths(hands: Hands) -> NDArray[np.int64]:
    """Return the cards in each suit, n×4, clubs first."""
    counts: NDArray[np.int64] = hands.reshape(-1, 4, 13).sum(axis=2)
    return counts


def points(hands: Hands) -> NDArray[np.int64]:
    """Return the high-card points of each hand, n."""
    return hands @ POINTS


def points_and_lengths(hands: Hands) -> NDArray[np.uint8]:
    """Return the high-card points, then the cards in each suit, clubs first, n×5."""
    return np.concatenate([points(hands)[:, None], lengths(hands)], axis=1).astype(np.uint8)


def suit_orders(rng: np.random.Generator, number: int) -> NDArray[np.int64]:
    """Return random orders of the four suits, n×4."""
    orders: NDArray[np.int64] = _SUIT_ORDERS[rng.integers(len(_SUIT_ORDERS), size=number)]
    return orders


def reordered(cards: NDArray[_T], orders: NDArray[np.int64]) -> NDArray[_T]:
    """Return what belongs to the 52 cards, n×52, with the suits in other orders."""
    rows = np.arange(len(cards))[:, None]
    return cards.reshape(-1, 4, 13)[rows, orders].reshape(-1, 52)


def denominations_reordered(tricks: NDArray[_T], orders: NDArray[np.int64]) -> NDArray[_T]:
    """Return what belongs to the five denominations, n×5×.., likewise; notrump stays."""
    denominations = np.concatenate([orders, np.full((len(orders), 1), 4)], axis=1)
    others: NDArray[_T] = tricks[np.arange(len(tricks))[:, None], denominations]
    return others


def spades_first(hands: Hands) -> Hands:
    """Return the cards in the order spades 2..A, hearts, diamonds, clubs, or back again."""
    return hands.reshape(-1, 4, 13)[:, ::-1].reshape(-1, 52)


def features(hands: Hands) -> NDArray[np.float32]:
    """Return the features of hands, from n×52 to n×`FEATURES`, as 0 and 1."""
    number = len(hands)
    long = lengths(hands)[:, :, None] > np.arange(LONGEST)
    strong = points(hands)[:, None] > np.arange(MOST_POINTS)
    return np.concatenate([hands, long.reshape(number, 4 * LONGEST), strong], axis=1).astype(
        np.float32
    )
