"""The auctions of matches that are card play only: both rooms play the same contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bridge_arena.board_files.records import read_records
from bridge_arena.bots.library.bidding_systems import System, SystemName
from bridge_arena.bridge.auction import Auction, shortest_auction
from bridge_arena.bridge.board import Board, by_board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seeds import DealSource

BIDDER: SystemName = "natural"
"""The bidding system that bids a board if no record has an auction."""


@dataclass(frozen=True, slots=True)
class GivenBoard:
    """A board and the auction that both rooms are given.

    Attributes:
        board: The board.
        auction: The calls, which end in a contract; none if the players bid themselves.
    """

    board: Board
    auction: tuple[MadeCall, ...]

    @classmethod
    def in_contract(cls, board: Board, contract: Contract) -> GivenBoard:
        """Return a board with the shortest auction that ends in a contract."""
        return cls(board, tuple(map(MadeCall, shortest_auction(contract, board.dealer))))


def dealt_boards(source: DealSource, bidder: System, first: int = 1) -> Iterator[GivenBoard]:
    """Yield the boards of a source, without end.

    A board that four bidders would pass out is left out, as there is nothing to play.

    Args:
        source: Where the deals come from.
        bidder: The bidding system of all four hands.
        first: The number of the first board.

    Yields:
        Each board with its auction.
    """
    for number in count(first):
        board = Board.standard(number, source.deal(number))
        auction = bid(board, bidder)
        if _ends_in_contract(auction):
            yield GivenBoard(board, auction)


def recorded_boards(path: Path, bidder: System) -> list[GivenBoard]:
    """Return the distinct boards of a file with their auctions, in the order of the file.

    A board has the auction of its first record with a contract. If no record is finished, four
    bidders bid the board. A board that was passed out, or would be, is left out.

    Args:
        path: The file.
        bidder: The bidding system of all four hands.

    Returns:
        The boards with a contract.

    Raises:
        BoardFileError: The file, or a game in it, cannot be read.
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
    """Return the recorded calls, or else the shortest auction that ends in the record's contract.

    Raises:
        ValueError: The record has no contract.
    """
    if record.contract is None:
        raise ValueError(f"board {record.board.number} has no contract")
    calls = whole_auction(record)
    if calls is None:
        return GivenBoard.in_contract(record.board, record.contract).auction
    return calls


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
