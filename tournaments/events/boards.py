"""The boards of an event, by their numbers from 1: dealt from its key, or read from a file.

In matches of card play only, both rooms are given the auction of a board too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from types import MappingProxyType

from bridge_arena.board_files.records import read_boards, read_records
from bridge_arena.bots.library.bidding_systems import System, SystemName, system
from bridge_arena.bridge.auction import Auction, shortest_auction
from bridge_arena.bridge.board import Board, by_board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode
from bridge_arena.bridge.seats import SEATS
from bridge_arena.bridge.seeds import DealSource

BIDDER: SystemName = "natural"
"""The bidding system that bids a board if no record has an auction."""


@dataclass(frozen=True, slots=True)
class GivenBoard:
    """A board and the auction that both rooms are given."""

    board: Board
    # The calls, which end in a contract; none if the players bid themselves.
    auction: tuple[MadeCall, ...]

    @classmethod
    def in_contract(cls, board: Board, contract: Contract) -> GivenBoard:
        """Return a board with the shortest auction that ends in a contract."""
        return cls(board, tuple(map(MadeCall, shortest_auction(contract, board.dealer))))


def dealt_boards(
    source: DealSource, bidder: System, first: int = 1, step: int = 1
) -> Iterator[GivenBoard]:
    """Yield the boards of a source, without end, with numbers that are a step apart.

    A board that four bidders would pass out is left out, as there is nothing to play.
    """
    for number in count(first, step):
        board = Board.standard(number, source.deal(number))
        auction = bid(board, bidder)
        if _ends_in_contract(auction):
            yield GivenBoard(board, auction)


def recorded_boards(path: Path, bidder: System) -> list[GivenBoard]:
    """Return the distinct boards of a file with their auctions, in the order of the file.

    A board has the auction of its first record with a contract. If no record is finished, four
    bidders bid the board. A board that was passed out, or would be, is left out. Raises
    BoardFileError.
    """
    boards = (
        GivenBoard(board, _given(board, records, bidder))
        for board, records in by_board(read_records(path)).items()
    )
    return [given for given in boards if _ends_in_contract(given.auction)]


def bid(board: Board, bidder: System) -> tuple[MadeCall, ...]:
    """Return the auction of four bidders who each see their own hand."""
    auction = Auction(board.dealer)
    calls: list[MadeCall] = []
    while not auction.is_over:
        hand = board.deal[auction.turn]
        calls.append(bidder.choose(hand, auction, board.vulnerability))
        auction.push(calls[-1].call)
    return tuple(calls)


def whole_auction(record: BoardRecord) -> tuple[MadeCall, ...] | None:
    """Return the recorded calls; None if they do not end in the record's contract."""
    auction = Auction(record.board.dealer, (made.call for made in record.calls))
    return record.calls if auction.is_over and auction.contract == record.contract else None


def auction_to_contract(record: BoardRecord) -> tuple[MadeCall, ...]:
    """Return the recorded calls, or else the shortest to the contract. Raises ValueError."""
    if record.contract is None:
        raise ValueError(f"board {record.board.number} has no contract")
    return whole_auction(record) or GivenBoard.in_contract(record.board, record.contract).auction


def auction_of(record: BoardRecord) -> tuple[MadeCall, ...]:
    """Return the recorded calls, or the fewest that end in the contract if they do not."""
    return record.calls if record.contract is None else auction_to_contract(record)


def _given(board: Board, records: Sequence[BoardRecord], bidder: System) -> tuple[MadeCall, ...]:
    """Return the auction of a board; no calls if it was passed out."""
    for record in records:
        if record.contract is not None:
            return auction_to_contract(record)
    if any(record.is_finished for record in records):
        return ()
    return bid(board, bidder)


def _ends_in_contract(auction: Sequence[MadeCall]) -> bool:
    return any(made.call.is_bid for made in auction)


EXTRA = 10_000
"""Numbers above it belong to boards that a knock-out adds to a match that ended level."""


SUBSTITUTES = 10_000_000
"""Numbers above it belong to boards that a director has played instead of others."""

_OF_RULING = 256
"""The numbers that each ruling has for its board: the first with an auction in play mode."""

_CONDITIONS = 16
"""The distance of two boards with the same dealer and vulnerability (Law 2)."""


def substitute(ruling: int, number: int) -> int:
    """Return the number in the supply of the board that a ruling has played instead of another.

    It has the dealer and the vulnerability that belong to the number on the other.
    """
    return SUBSTITUTES + _OF_RULING * ruling + number % _CONDITIONS


def in_supply(number: int) -> int:
    """Return the number in the supply of a substitute by the number on it; others as they are."""
    if number <= SUBSTITUTES:
        return number
    return substitute((number - SUBSTITUTES) // _OF_RULING, number)


Seeds = tuple[int, int, int, int]
"""The seeds of the random choices of the players N, E, S and W on a board."""


class BoardSupply:
    """The boards of an event.

    In play mode every board has an auction that ends in a contract, and a deal that four bidders
    would pass out is left out. The numbers on the boards are then higher than their numbers here.
    `commitment` is the published one to the source of the deals; "" if there is none.
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
        """Return a board, from number 1 on, with the auction that its players are given.

        There are no calls if they bid. Raises ValueError.
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
        if number > SUBSTITUTES:
            return next(dealt_boards(self._source, system(BIDDER), number, _CONDITIONS))
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

    `wanted` is their number, 0 for all. Raises ValueError, also if the file has fewer.
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
