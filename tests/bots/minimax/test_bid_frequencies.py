"""Which bids are natural, and the table of how often suits are bid."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bots.minimax.bid_frequencies import BidTable, count, natural_suits
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability


def natural(auction: str) -> list[str]:
    """The suits of N, E, S, W when North dealt."""
    calls = [MadeCall(Call(text)) for text in auction.split()]
    suits = natural_suits(Seat.NORTH, calls)
    return ["".join(suit.letter for suit in sorted(each)) for each in suits]


@pytest.mark.parametrize(
    ("auction", "suits"),
    [
        ("", ["", "", "", ""]),
        ("1S Pass 2S Pass", ["S", "", "S", ""]),
        ("1C 1H 1S 2D 2C", ["C", "H", "S", "D"]),
        ("1D Pass 1H Pass 1S Pass 4H", ["DS", "", "H", ""]),
        ("2D Pass 3D", ["D", "", "D", ""]),
        ("1NT 2C", ["", "C", "", ""]),
        ("1S Pass 4S", ["S", "", "S", ""]),
        ("Pass 4H 5C", ["", "H", "C", ""]),
        ("3C Pass Pass 3H Pass 4H", ["C", "H", "", "H"]),
        # The notrump of a later bid asks nothing.
        ("1D Pass 1S Pass 1NT Pass 2H", ["D", "", "HS", ""]),
        # Over notrump, two levels higher is natural.
        ("1NT Pass 3S Pass 4S", ["S", "", "S", ""]),
        ("1NT Pass 4H", ["", "", "H", ""]),
    ],
)
def test_a_bid_of_a_suit_shows_the_suit(auction: str, suits: list[str]) -> None:
    assert natural(auction) == suits


@pytest.mark.parametrize(
    ("auction", "suits"),
    [
        # The strong opening and what waits.
        ("2C Pass 2D Pass 2H", ["H", "", "", ""]),
        ("Pass Pass 2C Pass 2D Pass 2S", ["", "", "S", ""]),
        # Stayman and transfers, and the answers.
        ("1NT Pass 2C Pass 2H", ["", "", "", ""]),
        ("1NT Pass 2D Pass 2H Pass 3C", ["", "", "C", ""]),
        ("1NT Pass 2H Pass 3S", ["", "", "", ""]),
        ("2NT Pass 3C Pass 3D", ["", "", "", ""]),
        ("1S 1NT Pass 2D Pass 2H", ["S", "", "", ""]),
        # Aces.
        ("1S Pass 4NT Pass 5D", ["S", "", "", ""]),
        ("1S Pass 4NT Pass 5D Pass 5NT Pass 6C", ["S", "", "", ""]),
        # Cue bids.
        ("1H 2H", ["H", "", "", ""]),
        ("1C 1S Pass 2C", ["C", "S", "", ""]),
        # Controls and splinters.
        ("1S Pass 3S Pass 4C Pass 4D", ["S", "", "S", ""]),
        ("1S Pass 4C", ["S", "", "", ""]),
    ],
)
def test_conventions_do_not_show_the_suit_that_they_name(auction: str, suits: list[str]) -> None:
    assert natural(auction) == suits


def test_a_bid_that_is_explained_as_artificial_shows_no_suit() -> None:
    calls = [MadeCall(Call("1C"), explanation=Explanation("16+", (16, 37), artificial=True))]
    assert natural_suits(Seat.EAST, calls) == (frozenset(),) * 4


def test_the_dealer_calls_first() -> None:
    suits = natural_suits(Seat.WEST, [MadeCall(Call("Pass")), MadeCall(Call("1H"))])
    assert [len(each) for each in suits] == [1, 0, 0, 0]


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
