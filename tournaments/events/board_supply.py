"""The boards of an event, by their numbers from 1: dealt from its key, or read from a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from bridge_arena.board_files.records import read_boards
from bridge_arena.bots.library.bidding_systems import System, system
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import Mode
from bridge_arena.bridge.seats import SEATS
from bridge_arena.bridge.seeds import DealSource
from bridge_arena.tournaments.events.given_auctions import (
    BIDDER,
    GivenBoard,
    dealt_boards,
    recorded_boards,
)

EXTRA = 10_000
"""Numbers above it belong to boards that a knock-out adds to a match that ended level."""


Seeds = tuple[int, int, int, int]
"""The seeds of the random choices of the players N, E, S and W on a board."""


class BoardSupply:
    """The boards of an event.

    In play mode every board has an auction that ends in a contract, and a deal that four bidders
    would pass out is left out. The numbers on the boards are then higher than their numbers here.

    Args:
        source: Where the deals come from.
        mode: Whether bots bid, play, or both.
        known: The boards that need not be dealt, by number.
        commitment: The published commitment to the source; "" if there is none.

    Attributes:
        commitment: The same.
    """

    def __init__(
        self,
        source: DealSource,
        mode: Mode,
        known: Mapping[int, GivenBoard] = MappingProxyType({}),
        commitment: str = "",
    ) -> None:
        self.commitment = commitment
        self._source = source
        self._mode = mode
        self._known = dict(known)

    def board(self, number: int) -> GivenBoard:
        """Return a board, with the auction that its players are given; no calls if they bid.

        Args:
            number: From 1.

        Returns:
            The board.

        Raises:
            ValueError: The number is below 1.
        """
        if number < 1:
            raise ValueError(f"there is no board {number}: they are numbered from 1 on")
        if number not in self._known:
            self._known[number] = self._deal(number)
        return self._known[number]

    def seeds(self, number: int) -> Seeds:
        """Return the seeds of the players' random choices on a board, the same in both rooms."""
        board = self.board(number).board
        north, east, south, west = (self._source.seat_seed(board.number, seat) for seat in SEATS)
        return north, east, south, west

    def _deal(self, number: int) -> GivenBoard:
        if self._mode is not Mode.PLAY:
            return GivenBoard(Board.standard(number, self._source.deal(number)), ())
        dealt, extra = self._streams
        return extra[number - EXTRA] if number > EXTRA else dealt[number]

    @cached_property
    def _streams(self) -> tuple[_Stream, _Stream]:
        # Not made before they are needed, as the bidder's tables are slow to read.
        bidder = system(BIDDER)
        # The second starts so late that the first never gets there, however many are passed out.
        return _Stream(self._source, bidder, 1), _Stream(self._source, bidder, 2 * EXTRA + 1)


class _Stream:
    """The boards of card play only from a number on, dealt when they are asked for."""

    def __init__(self, source: DealSource, bidder: System, first: int) -> None:
        self._boards: Iterator[GivenBoard] = dealt_boards(source, bidder, first)
        self._known: list[GivenBoard] = []

    def __getitem__(self, position: int) -> GivenBoard:
        """Return the board at a position, from 1."""
        while len(self._known) < position:
            self._known.append(next(self._boards))
        return self._known[position - 1]


def boards_of(path: Path, mode: Mode, wanted: int) -> tuple[GivenBoard, ...]:
    """Return the first boards of a file; in play mode, the first with a contract.

    Args:
        path: The file.
        mode: Whether bots bid, play, or both.
        wanted: The number of boards; 0 for all of them.

    Returns:
        The boards with their given auctions.

    Raises:
        ValueError: The file cannot be used, or has fewer boards.
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
