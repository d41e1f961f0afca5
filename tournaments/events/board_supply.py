"""The boards of an event, by their numbers from 1: dealt from its key, or those of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
"""Numbers above it are of boards that a knock-out adds to a match that ended level."""


Seeds = tuple[int, int, int, int]
"""The seeds of the own choices of N, E, S and W on a board."""


class BoardSupply:
    """The boards of an event. `known`: those that need not be dealt. `commitment`: what the
    source was committed to; "" where it was not.

    In play mode every board has an auction that ends in a contract, and a deal that four
    bidders would pass out is left out, so the numbers on the boards run ahead of those here.
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
        bidder = system(BIDDER)
        self._dealt = _Stream(source, bidder, 1)
        # So far on that no deal of it is one of the first EXTRA, whatever was passed out.
        self._extra = _Stream(source, bidder, 2 * EXTRA + 1)

    def board(self, number: int) -> GivenBoard:
        """The board, with the auction that its players are given; no calls where they bid.

        Raises ValueError where there is no board of that number.
        """
        if number < 1:
            raise ValueError(f"there is no board {number}: they are numbered from 1 on")
        if number not in self._known:
            self._known[number] = self._deal(number)
        return self._known[number]

    def seeds(self, number: int) -> Seeds:
        """The seeds of the players' own choices on a board, the same in both rooms."""
        board = self.board(number).board
        north, east, south, west = (self._source.seat_seed(board.number, seat) for seat in SEATS)
        return north, east, south, west

    def _deal(self, number: int) -> GivenBoard:
        if self._mode is not Mode.PLAY:
            return GivenBoard(Board.standard(number, self._source.deal(number)), ())
        return self._extra[number - EXTRA] if number > EXTRA else self._dealt[number]


class _Stream:
    """Boards of card play alone, from the deal of a number on, dealt when they are asked for."""

    def __init__(self, source: DealSource, bidder: System, first: int) -> None:
        self._boards: Iterator[GivenBoard] = dealt_boards(source, bidder, first)
        self._known: list[GivenBoard] = []

    def __getitem__(self, position: int) -> GivenBoard:
        """The board at a position, from 1."""
        while len(self._known) < position:
            self._known.append(next(self._boards))
        return self._known[position - 1]


def boards_of(path: Path, mode: Mode, wanted: int) -> tuple[GivenBoard, ...]:
    """The first boards of a file, in play mode those that have a contract.

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
