"""Lessons: auctions in which other calls of the card are tried, and what they led to.

Where the card leaves a choice, some of its calls are tried as well: the same players continue the
auction from each to its end. What a call won are the IMPs between its contract and that of the call
that was made, double dummy. The opponents bid as `natural`, as `neural` or as the learner.

A file is a numpy archive of the arrays of `Lessons`, those of 0 and 1 in bits.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.disciplined.choices import READ, Choices, choices_of
from bridge_arena.bots.disciplined.net import WorthNet
from bridge_arena.bots.library.learning.arrays import Arrays, joined, write_arrays
from bridge_arena.bots.library.many_auctions.auctions import Auctions, Calls, Turns
from bridge_arena.bots.library.many_auctions.boards import (
    Boards,
    Caller,
    Contracts,
    SystemCaller,
    Tricks,
    Whole,
    drawn,
    imps,
)
from bridge_arena.bots.neural.net import PUBLIC
from bridge_arena.bots.neural.net import shipped as neural
from bridge_arena.bridge.calls import CALLS
from bridge_arena.oracle.solved_deals import SolvedDeals

_BITS = {"hands": 52, "known": PUBLIC, "fitting": len(CALLS)}
"""The arrays that a file holds in bits, and how many they have in a row."""

TRIED = 3
"""The most calls that are tried at a turn."""

SHARD = 1500
"""The boards of a file."""

_SHARE = 0.5
"""The probability that calls are tried where there is a choice."""

_ANY = 0.15
"""The probability that the calls to be tried are drawn from all, however little they are worth."""

_VARIETY = 1.0
"""The temperature, in IMPs, at which they are drawn otherwise."""


@dataclass(frozen=True, slots=True)
class Lessons(Choices):
    """n turns at which calls were tried."""

    made: NDArray[np.int8]  # the calls that were made, n
    tried: NDArray[np.int8]  # the calls that were tried, n×`TRIED`, with -1 where there were fewer
    won: NDArray[np.int8]  # the IMPs that these won, n×`TRIED`


class _Bidding:
    """Auctions in progress: those of the boards, and those that calls have begun that are tried."""

    def __init__(self, boards: Boards, tricks: Tricks) -> None:
        self._boards, self._tricks = boards, tricks
        self.auctions = Auctions(len(boards))
        # The board of each auction, and its own number: that of its board, or a higher one.
        self.board = self.number = np.arange(len(boards))
        self._begun = len(boards)
        self._ended: list[tuple[Whole, Whole]] = []

    @property
    def boards(self) -> Boards:
        """The board of each auction."""
        return self._boards.rows(self.board)

    def are_of_boards(self, rows: Whole) -> NDArray[np.bool_]:
        """Return whether nothing is tried in these auctions."""
        return self.number[rows] < len(self._boards)

    def begin(self, rows: Whole, tried: NDArray[np.int64]) -> Whole:
        """Begin an auction for each call tried in these rows; return their numbers, n×`TRIED`.

        The new auctions are the last, in order. There is none for -1.
        """
        is_tried = tried >= 0
        numbers = np.where(is_tried, self._begun + is_tried.cumsum().reshape(tried.shape) - 1, -1)
        self._begun += int(is_tried.sum())
        after = np.concatenate([np.arange(len(self.board)), rows.repeat(is_tried.sum(axis=1))])
        self.auctions, self.board = self.auctions.rows(after), self.board[after]
        self.number = np.concatenate([self.number, numbers[is_tried]])
        return numbers

    def push(self, calls: Calls) -> None:
        """Make a call in each auction, and take out those that are over."""
        self.auctions.push(calls)
        over, going = np.flatnonzero(self.auctions.over), np.flatnonzero(~self.auctions.over)
        contracts = Contracts.unknown(len(over))
        contracts.put(np.arange(len(over)), self.auctions.rows(over))
        points = contracts.points(
            self._boards.rows(self.board[over]), self._tricks[self.board[over]]
        )
        self._ended.append((self.number[over], points))
        self.auctions, self.board = self.auctions.rows(going), self.board[going]
        self.number = self.number[going]

    def points(self) -> Whole:
        """Return the points of the dealer's side in all auctions, by number; all must be over."""
        numbers, points = (np.concatenate(parts) for parts in zip(*self._ended, strict=True))
        return points[numbers.argsort()]


class _Taught(NamedTuple):
    """The turns of one round of calls at which calls were tried."""

    choices: Choices
    made: Calls
    tried: Whole  # n×`TRIED`
    of_made: Whole  # the number of the auction in which the call was made, n
    of_tried: Whole  # the numbers of those that the tried calls began, n×`TRIED`
    sign: int  # 1 for the dealer's side, -1 for the other

    def lessons(self, points: Whole) -> Lessons:
        """Return the turns with their results, by the points of all auctions."""
        won = imps(points[self.of_tried] - points[self.of_made][:, None]) * self.sign
        return Lessons(
            **{field.name: getattr(self.choices, field.name) for field in fields(Choices)},
            made=self.made.astype(np.int8),
            tried=self.tried.astype(np.int8),
            won=np.where(self.tried < 0, 0, won).astype(np.int8),
        )


def lessons(
    rng: np.random.Generator,
    boards: Boards,
    tricks: Tricks,
    net: WorthNet | None,
    opponent: Caller | None,
) -> Lessons:
    """Bid boards and try other calls.

    The learner bids by `net`, or without one as `natural` does. Its side is drawn by chance. If
    there is no `opponent`, it has both.
    """
    side = int(rng.integers(2))
    bidding = _Bidding(boards, tricks)
    taught: list[_Taught] = []
    while len(bidding.auctions):
        on, seat = bidding.boards, bidding.auctions.turn
        if opponent is not None and seat % 2 != side:
            bidding.push(opponent.calls(on, bidding.auctions))
            continue
        dealers = np.zeros(len(on), np.int64)
        turns = Turns(on.hands[:, seat], bidding.auctions, on.vulnerable, dealers)
        calls, rows, choices = choices_of(turns)
        worth, calls[rows] = _judged(net, choices)
        at = np.flatnonzero(bidding.are_of_boards(rows) & (rng.random(len(rows)) < _SHARE))
        rows = rows[at]
        tried = _tried(rng, worth[at], calls[rows])
        of_made = bidding.number[rows]
        of_tried = bidding.begin(rows, tried)
        sign = 1 if seat % 2 == 0 else -1
        taught.append(_Taught(choices.rows(at), calls[rows], tried, of_made, of_tried, sign))
        bidding.push(np.concatenate([calls, tried[tried >= 0]]))
    points = bidding.points()
    return joined(turn.lessons(points) for turn in taught)


def _judged(net: WorthNet | None, choices: Choices) -> tuple[NDArray[np.float32], Calls]:
    """Return what calls are worth, n×38, and the calls to make, n."""
    if net is None:
        nothing = np.where(choices.fitting, np.float32(0), np.float32(-np.inf))
        return nothing, choices.natural.astype(np.int64)
    worth = net.worth(choices)
    return worth, worth.argmax(axis=1)


def _tried(rng: np.random.Generator, worth: NDArray[np.float32], made: Calls) -> Whole:
    """Return calls to try in place of those made, n×`TRIED`, with -1 where there are fewer."""
    # Gumbel noise at a temperature draws calls by a softmax of their worth.
    from_all = rng.random((len(worth), 1)) < _ANY
    fair = np.where(from_all & np.isfinite(worth), 0, worth)
    noisy = fair + _VARIETY * rng.gumbel(size=worth.shape)
    np.put_along_axis(noisy, made[:, None], -np.inf, axis=1)
    tried = np.argsort(-noisy, axis=1)[:, :TRIED]
    return np.where(np.isfinite(np.take_along_axis(noisy, tried, axis=1)), tried, -1)


def shard_paths(folder: Path, part: int, boards: int) -> list[Path]:
    """Return the files of a round, for so many boards, rounded up to whole files."""
    return [folder / f"lessons-{part}-{shard:05d}.npz" for shard in range(-(-boards // SHARD))]


def make_shard(
    seed: tuple[int, ...], solved: SolvedDeals, net: WorthNet | None, path: Path
) -> None:
    """Make the lessons of a file of a round, whose seed is given, and write it."""
    shard = int(path.stem.rpartition("-")[2])
    rng = np.random.default_rng((*seed, shard))
    boards, tricks = drawn(solved, rng, SHARD)
    natural = SystemCaller("natural")
    opponents: tuple[Caller | None, ...] = (natural, neural(), natural, None)
    made = lessons(rng, boards, tricks, net, opponents[shard % len(opponents)])
    arrays = {field.name: getattr(made, field.name) for field in fields(Lessons)}
    bits = {name: np.packbits(arrays[name], axis=1) for name in _BITS}
    write_arrays(path, arrays | bits)


def read(paths: list[Path]) -> Lessons:
    """Read all lessons of files, at least one. Raises ArraysError."""
    return joined(_read(path) for path in paths)


def _read(path: Path) -> Lessons:
    arrays = Arrays(path)
    shapes = {"read": (READ,), "natural": (), "made": (), "tried": (TRIED,), "won": (TRIED,)}
    got = {name: arrays.numbers(name, None, *shape) for name, shape in shapes.items()}
    for name, count in _BITS.items():
        bits = arrays.numbers(name, len(got["made"]), -(-count // 8)).astype(np.uint8)
        got[name] = np.unpackbits(bits, axis=1, count=count)
    kinds = {"hands": np.bool_, "known": np.uint8, "read": np.uint8, "fitting": np.bool_}
    return Lessons(
        **{name: numbers.astype(kinds.get(name, np.int8)) for name, numbers in got.items()}
    )
