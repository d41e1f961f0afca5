"""The learned table."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bots.minimax.bid_frequencies import BidTable, count
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability

DEAL = Deal.parse("N:AKQJ2.432.432.32 .AKQJ.AKQJ.AKQJ4 T98.T98.T987.T98 76543.765.65.765")


def record(calls: str) -> BoardRecord:
    board = Board(1, Seat.NORTH, Vulnerability.NONE, DEAL)
    made = tuple(MadeCall(Call(text)) for text in calls.split())
    return BoardRecord(board, ("n", "e", "s", "w"), made)


def test_the_table_counts_holdings_and_bids() -> None:
    table = count([record("1S Pass Pass Pass"), record("Pass 2C Pass Pass Pass"), record("1S 2C")])
    assert table.held[5][4] == 6  # North's spades and East's clubs
    assert table.bid[5][4] == 3  # 2C by East is an opening in one, and not natural
    assert table.held[0][0] == 3
    assert table.bid[0][0] == 0
    assert sum(map(sum, table.held)) == 3 * 16
    assert sum(map(sum, table.bid)) == 3


def test_the_chances_of_the_table_are_smoothed() -> None:
    table = count([record("1S Pass"), record("1S 2C"), record("Pass")])
    assert table.chance(5, 4) == (3 + 1) / (6 + 2)
    assert table.chance(0, 0) == 1 / 5
    assert table.chance(13, 4) == 1 / 2


def test_the_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = count([record("1S Pass")], 'one "auction"', "2020-02-29")
    path = tmp_path / "table.json"
    path.write_text(table.dumps(), encoding="utf-8")
    assert BidTable.load(path) == table


class TestShipped:
    table = BidTable.load()

    def test_the_shipped_table_says_where_it_is_from(self) -> None:
        auctions = int(self.table.source.split()[0])
        assert sum(map(sum, self.table.held)) == 16 * auctions
        assert self.table.date

    def test_each_holding_is_possible(self) -> None:
        for cards in range(14):
            for honours in range(5):
                held, bid = self.table.held[cards][honours], self.table.bid[cards][honours]
                assert 0 <= bid <= held
                assert honours <= cards or held == 0

    @pytest.mark.parametrize("honours", [0, 1, 2])
    def test_longer_suits_are_bid_more_often(self, honours: int) -> None:
        chances = [self.table.chance(cards, honours) for cards in range(2, 8)]
        assert chances == sorted(chances)

    @pytest.mark.parametrize("cards", [4, 5, 6])
    def test_better_suits_are_bid_more_often(self, cards: int) -> None:
        chances = [self.table.chance(cards, honours) for honours in range(4)]
        assert chances == sorted(chances)
