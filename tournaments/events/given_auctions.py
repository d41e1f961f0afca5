"""The auctions that a match of card play alone is given: both rooms play the same contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bridge_arena.board_files.records import read_records
from bridge_arena.bots.library.bidding_systems import System, SystemName
from bridge_arena.bridge.auction import Auction, shortest_auction
from bridge_arena.bridge.board import Board, by_board
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seeds import DealSource

BIDDER: SystemName = "natural"
"""The bidding system whose auctions are given where no record has one."""


@dataclass(frozen=True, slots=True)
class GivenBoard:
    """A board and the calls that both rooms are given; they end in a contract."""

    board: Board
    auction: tuple[MadeCall, ...]


def dealt_boards(source: DealSource, bidder: System, first: int = 1) -> Iterator[GivenBoard]:
    """The boards of a source, from number `first` on, without end. One that four bidders
    would pass out is left out: there is nothing to play."""
    for number in count(first):
        board = Board.standard(number, source.deal(number))
        auction = bid(board, bidder)
        if _ends_in_contract(auction):
            yield GivenBoard(board, auction)


def recorded_boards(path: Path, bidder: System) -> list[GivenBoard]:
    """The distinct boards of a file in file order, each with the auction of the first
    record of it that has a contract; bid by four bidders where no record tells. One that
    was passed out, or would be, is left out.

    Raises BoardFileError for a file that cannot be read, and for the first game that is no
    record.
    """
    boards = (
        GivenBoard(board, _given(board, records, bidder))
        for board, records in by_board(read_records(path)).items()
    )
    return [given for given in boards if _ends_in_contract(given.auction)]


def bid(board: Board, bidder: System) -> tuple[MadeCall, ...]:
    """The auction of four bidders who each see their own hand."""
    auction = Auction(board.dealer)
    calls: list[MadeCall] = []
    while not auction.is_over:
        hand = board.deal[auction.turn]
        calls.append(bidder.choose(hand, auction, board.vulnerability))
        auction.push(calls[-1].call)
    return tuple(calls)


def whole_auction(record: BoardRecord) -> tuple[MadeCall, ...] | None:
    """The recorded calls; None where they do not end in the record's contract."""
    auction = Auction(record.board.dealer, (made.call for made in record.calls))
    return record.calls if auction.is_over and auction.contract == record.contract else None


def auction_to_contract(record: BoardRecord) -> tuple[MadeCall, ...]:
    """The recorded calls, or the fewest that end in the record's contract. Raises
    ValueError where there is none."""
    if record.contract is None:
        raise ValueError(f"board {record.board.number} has no contract")
    calls = whole_auction(record)
    if calls is None:
        calls = tuple(map(MadeCall, shortest_auction(record.contract, record.board.dealer)))
    return calls


def _given(board: Board, records: Sequence[BoardRecord], bidder: System) -> tuple[MadeCall, ...]:
    """The auction of a board; no calls where it was passed out."""
    for record in records:
        if record.contract is not None:
            return auction_to_contract(record)
    if any(record.is_finished for record in records):
        return ()
    return bid(board, bidder)


def _ends_in_contract(auction: Sequence[MadeCall]) -> bool:
    return any(made.call.is_bid for made in auction)
