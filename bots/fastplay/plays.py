"""Boards played card by card, with the cost of every card, and the files that keep them.

A file is a numpy archive NAME.npz of the arrays of `Plays`. Players are numbered clockwise from
declarer: 0 is declarer, 1 the opening leader, 2 dummy, 3 the other defender.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError, write_arrays
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bridge.explanation import Range

DECLARER, LEADER, DUMMY = range(3)

NOTRUMP = 4

UNKNOWN = -1
"""Stands for the cost of a card that was not legal or not looked at."""


_SUITS = np.arange(52) // 13

_RANKS = np.arange(52) % 13


def strengths(led: NDArray[np.integer], trump: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the strength of each card in a trick (Law 44E, 44F).

    Args:
        led: The suit led, n.
        trump: The trump suit, or `NOTRUMP`, n.

    Returns:
        Numbers from 1, n×52; the highest of the cards played wins the trick.
    """
    found: NDArray[np.int64] = (
        _RANKS + 13 * (led[:, None] == _SUITS) + 26 * (trump[:, None] == _SUITS) + 1
    )
    return found


@dataclass(frozen=True, slots=True)
class Plays:
    """n boards and their play.

    Attributes:
        owner: The player who was dealt each card, n×52.
        trump: The trump suit, or `NOTRUMP`, n.
        promised: What the auction told of each player, n×4×5×2: the lowest and the highest of his
            high-card points and of his lengths in clubs, diamonds, hearts and spades, as dealt.
        cards: The cards in the order of play, n×52.
        losses: The tricks that the player's side loses, double dummy, at each card of the play by
            each of the thirteen cards that he was dealt, in ascending order, n×52×13, or `UNKNOWN`.
    """

    owner: NDArray[np.uint8]
    trump: NDArray[np.uint8]
    promised: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    losses: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.owner)

    def rows(self, chosen: NDArray[np.integer] | slice) -> Plays:
        """Return some of the boards."""
        return Plays(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def turn(self, place: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the player of the card at a place of each board, n."""
        rows = np.arange(len(self))
        return np.asarray(self.owner[rows, self.cards[rows, place]], np.int64)

    def costs(self, place: NDArray[np.integer]) -> Array:
        """Return the cost of each of the 52 cards at a place of each board.

        Args:
            place: The place in the play, 0 to 51, n.

        Returns:
            The costs in tricks, n×52; `UNKNOWN` where a card was not looked at.
        """
        found = np.full((len(self), 52), UNKNOWN, np.float32)
        held = self.owner == self.turn(place)[:, None]
        found[held] = self.losses[np.arange(len(self)), place].reshape(-1)
        return found


def numbers_of(ranges: HandRanges) -> list[Range]:
    """Return the ranges of a hand as arrays hold them, narrowed by its having thirteen cards."""
    whole = ranges.completed()
    return [whole.hcp, *whole.lengths]


def write_plays(path: Path, plays: Plays) -> None:
    """Write a whole file or nothing.

    Args:
        path: The file.
        plays: The boards.

    Raises:
        OSError: The file cannot be written.
    """
    arrays = {field.name: getattr(plays, field.name) for field in fields(plays)}
    write_arrays(path, arrays, compress=True)


def read_plays(path: Path) -> Plays:
    """Read boards from a file.

    Args:
        path: A file that `write_plays` has made.

    Returns:
        The boards.

    Raises:
        ArraysError: The file does not hold boards.
        OSError: The file cannot be read.
    """
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
            raise ArraysError(f"{path}: {field.name} has values that are not whole numbers")
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
        # Where costs are known at a place, the cost of the card played is one of them.
        played = lost[np.arange(boards), cards[:, place]]
        _check(path, "cards", (lost.max(axis=1) < 0) | (played >= 0))
    return found


def _all(right: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether everything is right, for each board."""
    return np.asarray(right.reshape(len(right), -1).all(axis=1))


def _check(path: Path, name: str, right: NDArray[np.bool_]) -> None:
    """Raise ArraysError if a board is wrong, and name the first such board."""
    for board in np.flatnonzero(~right)[:1]:
        raise ArraysError(f"{path}: {name}, board {board}: there is something that cannot be")
