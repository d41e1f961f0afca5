"""Played boards with the cost of every card, and the files that keep them.

A file is a numpy archive NAME.npz of the arrays of `Plays`, whose players are numbered as in
`bots.fastplay.net`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.net import NOTRUMP, NUMBERS, Positions
from bridge_arena.bots.library.learning.arrays import (
    Arrays,
    ArraysError,
    Rows,
    write_arrays,
)
from bridge_arena.bots.library.learning.layers import Array

UNKNOWN = -1  # stands for the cost of a card that was not legal or not looked at


@dataclass(frozen=True, slots=True)
class Plays(Rows):
    """n boards and their play."""

    owner: NDArray[np.uint8]  # the player who was dealt each card, n×52
    trump: NDArray[np.uint8]  # the trump suit, or `NOTRUMP`, n
    # What the auction told of each player, n×4×5×2: the lowest and the highest of his high-card
    # points and of his lengths in clubs, diamonds, hearts and spades, as dealt.
    promised: NDArray[np.uint8]
    cards: NDArray[np.uint8]  # the cards in the order of play, n×52
    # The tricks that the player's side loses, double dummy, at each card of the play by each of the
    # thirteen cards that he was dealt, in ascending order, n×52×13, or `UNKNOWN`.
    losses: NDArray[np.int8]

    def turn(self, place: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the player of the card at a place of each board, n."""
        rows = np.arange(len(self))
        return np.asarray(self.owner[rows, self.cards[rows, place]], np.int64)

    def positions(self, place: NDArray[np.integer]) -> Positions:
        """Return the position of each board before the card at a place."""
        return Positions(self.owner, self.trump, self.promised, self.cards, place, self.turn(place))

    def costs(self, place: NDArray[np.integer]) -> Array:
        """Return cards' costs in tricks at a place, 0 to 51, of each board, n×52, or `UNKNOWN`."""
        costs = np.full((len(self), 52), UNKNOWN, np.float32)
        held = self.owner == self.turn(place)[:, None]
        costs[held] = self.losses[np.arange(len(self)), place].reshape(-1)
        return costs


def write_plays(path: Path, plays: Plays) -> None:
    """Write a whole file or nothing."""
    arrays = {field.name: getattr(plays, field.name) for field in fields(plays)}
    write_arrays(path, arrays, compress=True)


def read_plays(path: Path) -> Plays:
    """Read boards from a file that `write_plays` has made, or raise ArraysError or OSError."""
    arrays = Arrays(path)
    owner = arrays.numbers("owner", None, 52)
    boards = len(owner)
    cards = arrays.numbers("cards", boards, 52)
    plays = Plays(
        owner,
        arrays.numbers("trump", boards),
        arrays.numbers("promised", boards, 4, 5, 2),
        cards,
        arrays.numbers("losses", boards, 52, 13),
    )
    for field in fields(plays):
        if getattr(plays, field.name).dtype.kind not in "ui":
            raise ArraysError(f"{path}: {field.name} has values that are not whole numbers")
    if not boards:
        raise ArraysError(f"{path}: there are no boards")
    _check(path, "owner", _all(np.sort(owner, axis=1) == np.repeat(np.arange(4), 13)))
    _check(path, "cards", _all(np.sort(cards, axis=1) == NUMBERS))
    _check(path, "trump", (plays.trump >= 0) & (plays.trump <= NOTRUMP))
    low, high = plays.promised[..., 0], plays.promised[..., 1]
    _check(path, "promised", _all((low <= high) & (low >= 0) & (high <= 37)))
    _check(path, "losses", _all((plays.losses >= UNKNOWN) & (plays.losses <= 13)))
    _check(path, "losses", plays.losses.reshape(boards, -1).max(axis=1) >= 0)
    for place in range(52):
        lost = plays.costs(np.full(boards, place))
        # Where costs are known at a place, the cost of the card played is one of them.
        played = lost[np.arange(boards), cards[:, place]]
        _check(path, "cards", (lost.max(axis=1) < 0) | (played >= 0))
    return plays


def _all(right: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether everything is right, for each board."""
    return np.asarray(right.reshape(len(right), -1).all(axis=1))


def _check(path: Path, name: str, right: NDArray[np.bool_]) -> None:
    """Raise ArraysError if a board is wrong, and name the first such board."""
    for board in np.flatnonzero(~right)[:1]:
        raise ArraysError(f"{path}: {name}, board {board}: there is something that cannot be")
