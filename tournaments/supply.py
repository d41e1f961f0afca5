"""The boards of an event, by their numbers from 1: dealt from its seed, or a PBN file's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bots.bidding import System, system
from bridge.board import Board
from bridge.record import Mode
from pbn.records import read_boards
from tournaments.reference import BIDDER, GivenBoard, dealt_boards, recorded_boards

EXTRA = 10_000
"""Numbers above it are of boards that a knock-out adds to a match that ended level."""


class Supply:
    """The boards of an event. `given`: those that are not dealt, from number 1 on.

    In play mode every board has an auction that ends in a contract, and a deal that four
    bidders would pass out is left out, so the numbers on the boards run ahead of those here.
    """

    def __init__(self, seed: int, mode: Mode, given: Sequence[GivenBoard] = ()) -> None:
        self._seed = seed
        self._mode = mode
        self._given = tuple(given)
        bidder = system(BIDDER)
        self._dealt = _Stream(seed, bidder, 1)
        # So far on that no deal of it is one of the first EXTRA, whatever was passed out.
        self._extra = _Stream(seed, bidder, 2 * EXTRA + 1)

    def board(self, number: int) -> GivenBoard:
        """The board, with the auction that its players are given; no calls where they bid.

        Raises ValueError where there is no board of that number.
        """
        if 1 <= number <= len(self._given):
            return self._given[number - 1]
        if number < 1 or (self._given and number <= EXTRA):
            last = f"to {len(self._given)}" if self._given else "on"
            raise ValueError(f"there is no board {number}: they are numbered from 1 {last}")
        if self._mode is not Mode.PLAY:
            return GivenBoard(Board.dealt(self._seed, number), ())
        return self._extra[number - EXTRA] if number > EXTRA else self._dealt[number]

    def given(self) -> tuple[GivenBoard, ...]:
        """The boards that cannot be dealt again; none where all can."""
        return self._given


class _Stream:
    """Boards of card play alone, from the deal of a number on, dealt when they are asked for."""

    def __init__(self, seed: int, bidder: System, first: int) -> None:
        self._boards: Iterator[GivenBoard] = dealt_boards(seed, bidder, first)
        self._known: list[GivenBoard] = []

    def __getitem__(self, position: int) -> GivenBoard:
        """The board at a position, from 1."""
        while len(self._known) < position:
            self._known.append(next(self._boards))
        return self._known[position - 1]


def boards_of(path: Path, mode: Mode, wanted: int) -> tuple[GivenBoard, ...]:
    """The first boards of a PBN file, in play mode those that have a contract.

    Raises ValueError where it has fewer than `wanted`, and for a file that cannot be used.
    """
    if mode is Mode.PLAY:
        kind = "boards with a contract"
        boards = recorded_boards(path, system(BIDDER))
    else:
        kind = "boards"
        boards = [GivenBoard(board, ()) for board in read_boards(path)]
    if len(boards) < wanted:
        raise ValueError(f"{path}: {len(boards)} different {kind}, but the event needs {wanted}")
    return tuple(boards[:wanted])
