"""The auctions that both rooms are given in a match of card play only."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.bots.library.bidding_systems import System, system
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import Vulnerability
from bridge_arena.bridge.seeds import PublicSeed
from bridge_arena.tournaments.events.boards import (
    BIDDER,
    auction_to_contract,
    bid,
    dealt_boards,
    recorded_boards,
    whole_auction,
)


class Passer(System):
    """A system that opens no hand, but for one dealer's in every four boards."""

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        del hand, vulnerability
        opens = auction.dealer == 0 and not auction.calls
        return MadeCall(auction.legal_calls()[1 if opens else 0])

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        return [self.choose(hand, auction, vulnerability)]

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        del vulnerability
        return [Explanation() for _ in auction.calls]


@pytest.fixture(scope="module")
def bidder() -> System:
    return system(BIDDER)


def text_of(auction: tuple[MadeCall, ...]) -> str:
    return " ".join(str(made.call) for made in auction)


def test_the_same_seed_gives_the_same_auctions(bidder: System) -> None:
    given = list(islice(dealt_boards(PublicSeed(1), bidder), 20))
    assert given == list(islice(dealt_boards(PublicSeed(1), system(BIDDER)), 20))
    for each in given:
        auction = Auction(each.board.dealer, (made.call for made in each.auction))
        assert auction.is_over
        assert auction.contract is not None
        assert each.board == Board.dealt(1, each.board.number)
    assert any(made.explanation for each in given for made in each.auction)


def test_boards_passed_out_are_replaced_by_the_next_numbers() -> None:
    given = list(islice(dealt_boards(PublicSeed(1), Passer()), 3))
    assert [each.board.number for each in given] == [1, 5, 9]
    assert {text_of(each.auction) for each in given} == {"1C Pass Pass Pass"}


def game(number: int, *tags: str) -> str:
    board = Board.dealt(2, number)
    lines = [
        f'[Board "{number}"]',
        f'[Dealer "{board.dealer}"]',
        f'[Vulnerable "{board.vulnerability}"]',
        f'[Deal "{board.deal}"]',
        *tags,
    ]
    return "\n".join(lines) + "\n\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "boards.pbn"


def test_a_recorded_auction_is_given_with_its_notes(path: Path) -> None:
    calls = '[Auction "N"]\n1NT =1= Pass Pass X\nPass Pass Pass\n[Note "1:strong [hcp 15-17]"]'
    path.write_text(game(1, calls))
    (given,) = recorded_boards(path, Passer())
    assert text_of(given.auction) == "1NT Pass Pass X Pass Pass Pass"
    assert given.auction[0].explanation == Explanation("strong", (15, 17))


def test_without_an_auction_the_contract_is_bid_at_once(path: Path) -> None:
    path.write_text(game(2, '[Declarer "S"]', '[Contract "3NTX"]', '[Result "7"]'))
    (given,) = recorded_boards(path, Passer())
    assert text_of(given.auction) == "Pass 3NT X Pass Pass Pass"


def test_boards_without_a_record_are_bid(path: Path, bidder: System) -> None:
    path.write_text(game(1) + game(2))
    given = recorded_boards(path, bidder)
    assert [each.board.number for each in given] == [1, 2]
    assert [each.auction for each in given] == [bid(each.board, bidder) for each in given]


def test_passed_out_boards_are_left_out(path: Path) -> None:
    """It holds for auctions of the file and for those of the reference bidder."""
    path.write_text(game(1, '[Contract "Pass"]') + game(2) + game(5))
    assert [each.board.number for each in recorded_boards(path, Passer())] == [5]


def test_of_several_records_the_first_with_a_contract_counts(path: Path) -> None:
    tables = ['[Contract "Pass"]', '[Contract "2C"]', '[Contract "1C"]']
    path.write_text("".join(game(1, '[Declarer "E"]', table) for table in tables))
    (given,) = recorded_boards(path, Passer())
    assert text_of(given.auction) == "Pass 2C Pass Pass Pass"


def test_a_game_that_is_no_record_is_refused(path: Path) -> None:
    path.write_text(game(1, '[Auction "N"]\n1NT 1NT'))
    with pytest.raises(BoardFileError, match="1NT"):
        recorded_boards(path, Passer())


def test_an_auction_that_does_not_end_in_the_contract_is_not_whole() -> None:
    record = BoardRecord(Board.dealt(1, 1), ("", "", "", ""))
    assert whole_auction(record) is None
    with pytest.raises(ValueError, match="board 1 has no contract"):
        auction_to_contract(record)
