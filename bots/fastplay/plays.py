"""Boards played card by card, with what every card would have cost, and the files of them.

A file is numpy's archive NAME.npz of the arrays of `Plays`. Players are numbered from declarer
clockwise: 0 declarer, 1 the opening leader, 2 dummy, 3 the other defender.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.box import Box
from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError, write_arrays
from bridge_arena.bots.library.learning.suits import Array
from bridge_arena.bridge.explanation import Range

DECLARER, LEADER, DUMMY = range(3)

NOTRUMP = 4

UNKNOWN = -1
"""Instead of what a card costs: it was not legal, or was not looked at."""


_SUITS = np.arange(52) // 13

_RANKS = np.arange(52) % 13


def strengths(led: NDArray[np.integer], trump: NDArray[np.integer]) -> NDArray[np.int64]:
    """By which the cards of a trick compare (Law 44E, 44F), n×52, 1 or more; `led`: the suit."""
    found: NDArray[np.int64] = (
        _RANKS + 13 * (led[:, None] == _SUITS) + 26 * (trump[:, None] == _SUITS) + 1
    )
    return found


@dataclass(frozen=True, slots=True)
class Plays:
    """Boards and their play, n of them.

    `owner`: who was dealt each card, n×52. `trump`: the suit, or `NOTRUMP`, n. `promised`: what
    the auction told of each player, n×4×5×2: points and lengths of clubs .. spades as dealt,
    lowest and highest. `cards`: those played, in order, n×52. `losses`: in their order, the
    tricks that the player's side loses, double dummy, by each of the thirteen cards that he was
    dealt, in rising order, n×52×13, or `UNKNOWN`.
    """

    owner: NDArray[np.uint8]
    trump: NDArray[np.uint8]
    promised: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    losses: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.owner)

    def rows(self, chosen: NDArray[np.integer] | slice) -> Plays:
        return Plays(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def turn(self, place: NDArray[np.integer]) -> NDArray[np.int64]:
        """Who played the card at a place of each board, n."""
        rows = np.arange(len(self))
        return np.asarray(self.owner[rows, self.cards[rows, place]], np.int64)

    def costs(self, place: NDArray[np.integer]) -> Array:
        """What each of the 52 cards cost at a place of each board, n×52, `UNKNOWN` where it
        was not looked at."""
        found = np.full((len(self), 52), UNKNOWN, np.float32)
        held = self.owner == self.turn(place)[:, None]
        found[held] = self.losses[np.arange(len(self)), place].reshape(-1)
        return found


def numbers_of(box: Box) -> list[Range]:
    """What is promised of a hand, as arrays have it, with what follows from its having thirteen
    cards."""
    whole = box.completed()
    return [whole.hcp, *whole.lengths]


def write_plays(path: Path, plays: Plays) -> None:
    """Write a whole file, or nothing. Raises OSError."""
    arrays = {field.name: getattr(plays, field.name) for field in fields(plays)}
    write_arrays(path, arrays, compress=True)


def read_plays(path: Path) -> Plays:
    """The plays of a file. Raises ArraysError, OSError."""
    arrays = Arrays(path)
    owner = arrays.numbers("owner", None, 52)
    boards = len(owner)
    cards = arrays.numbers("cards", boards, 52)
    found = Plays(
        owner,
        arrays.numbers("trump", boards),
        arrays.numbers("promised", boards, 4, 5, 2),
        cards,
        arrays.numbers("losses", boards, 52, 13),
    )
    for field in fields(found):
        if getattr(found, field.name).dtype.kind not in "ui":
            raise ArraysError(f"{path}: {field.name} holds something else than whole numbers")
    if not boards:
        raise ArraysError(f"{path}: there are no boards")
    _check(path, "owner", _all(np.sort(owner, axis=1) == np.repeat(np.arange(4), 13)))
    _check(path, "cards", _all(np.sort(cards, axis=1) == np.arange(52)))
    _check(path, "trump", (found.trump >= 0) & (found.trump <= NOTRUMP))
    low, high = found.promised[..., 0], found.promised[..., 1]
    _check(path, "promised", _all((low <= high) & (low >= 0) & (high <= 37)))
    _check(path, "losses", _all((found.losses >= UNKNOWN) & (found.losses <= 13)))
    _check(path, "losses", found.losses.reshape(boards, -1).max(axis=1) >= 0)
    for place in range(52):
        lost = found.costs(np.full(boards, place))
        # Where costs are known, that of the card is which was played.
        played = lost[np.arange(boards), cards[:, place]]
        _check(path, "cards", (lost.max(axis=1) < 0) | (played >= 0))
    return found


def _all(right: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of each board."""
    return np.asarray(right.reshape(len(right), -1).all(axis=1))


def _check(path: Path, name: str, right: NDArray[np.bool_]) -> None:
    """Raises ArraysError, naming the first board that is wrong."""
    for board in np.flatnonzero(~right)[:1]:
        raise ArraysError(f"{path}: {name}, board {board}: there is something that cannot be")
