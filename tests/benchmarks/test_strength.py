"""The outside references of the bots: par, the recorded contracts, and double-dummy play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.kept_boards import bot_digest, tables
from benchmarks.strength_bidders import Reached, doubled, has_slam, reached, slam_sides
from benchmarks.strength_players import lost_in, match
from bridge_arena.bots.registry import parse
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import Call, Contract, Denomination, Risk
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability
from bridge_arena.lab.bidding import Bid
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from research.papers.liao_games import Seated, play_out

DEAL = Deal.parse("N:AK6.K65.AQJ5.K32 J54.QJ7.T76.QJT9 Q32.A432.K32.654 T987.T98.984.A87")
BOARD = Board(1, Seat.NORTH, Vulnerability.NONE, DEAL)
TWELVE_IN_SPADES = DoubleDummyTable((8, 5, 8, 5) * 3 + (12, 1, 12, 1) + (9, 4, 9, 4))


def of_north(level: int, denomination: Denomination, risk: Risk = Risk.UNDOUBLED) -> Contract:
    return Contract(level, denomination, risk, Seat.NORTH)


@pytest.mark.parametrize(
    ("contract", "expected"),
    [
        (of_north(6, Denomination.SPADES), Reached(0, doubled=False, slam=True, down=False)),
        # 480 instead of 980 points.
        (of_north(4, Denomination.SPADES), Reached(11, doubled=False, slam=False, down=False)),
        # 500 points down instead of 980 up; the side has a slam, but another.
        (
            of_north(6, Denomination.NOTRUMP, Risk.DOUBLED),
            Reached(16, doubled=True, slam=True, down=True),
        ),
        (None, Reached(14, doubled=False, slam=False, down=False)),
    ],
)
def test_contracts_are_compared_with_par(contract: Contract | None, expected: Reached) -> None:
    assert reached(contract, BOARD, TWELVE_IN_SPADES, {Side.NS}) == expected


def test_a_side_has_a_slam_with_twelve_tricks() -> None:
    assert has_slam(TWELVE_IN_SPADES, Side.NS)
    assert not has_slam(TWELVE_IN_SPADES, Side.EW)


def test_a_side_should_bid_a_slam_that_its_hands_promise() -> None:
    """Twelve tricks and hands that promise them are both needed: either alone is not enough."""
    strong = Deal.parse("N:AKQJ5.AK2.A43.K2 32.QJT9.JT98.QJT T987.543.K2.A543 64.876.Q765.9876")
    eleven = DoubleDummyTable((8, 5, 8, 5) * 3 + (11, 1, 11, 1) + (9, 4, 9, 4))
    boards = [BOARD, *[replace(BOARD, deal=strong)] * 2]
    tables = [TWELVE_IN_SPADES, TWELVE_IN_SPADES, eleven]
    assert slam_sides(boards, tables) == [set(), {Side.NS}, set()]
    turned = Deal.parse("E:AKQJ5.AK2.A43.K2 32.QJT9.JT98.QJT T987.543.K2.A543 64.876.Q765.9876")
    solved = DoubleDummyTable((5, 8, 5, 8) * 3 + (1, 12, 1, 12) + (4, 9, 4, 9))
    assert slam_sides([replace(BOARD, deal=turned)], [solved]) == [{Side.EW}]


def test_tables_are_kept_and_a_line_that_was_cut_off_is_solved_again(tmp_path: Path) -> None:
    kept = tmp_path / "of" / "tables.txt"
    deals = [random_deal(1, number) for number in (1, 2)]
    solved = tables(deals, kept)
    whole = kept.read_bytes()
    first = whole.splitlines(keepends=True)[0]
    kept.write_bytes(first + first[:-5])
    assert tables(deals, kept) == solved
    # What is in the file is believed, not solved.
    kept.write_text(f"{DEAL}\t{'d' * 20}\n", encoding="ascii")
    assert tables([DEAL], kept)[0].results == (13,) * 20


def test_a_doubled_contract_counts_for_the_bidder_that_declares_it() -> None:
    """The first bidder sits North-South in the open room and East-West in the closed one."""
    of_both_rooms = np.array([[5, 5], [12, 0], [20, 35]])
    auctions = Bid(
        calls=np.empty((3, 2, 0), np.int8),
        bid=of_both_rooms,
        risk=np.array([[1, 2], [0, 0], [1, 0]]),
        declarer=np.array([[Seat.SOUTH, Seat.NORTH], [Seat.EAST, 0], [Seat.EAST, Seat.WEST]]),
    )
    assert doubled(auctions) == (round(1 / 6, 4), round(2 / 6, 4))


def test_players_play_the_auction_that_is_given_to_its_end() -> None:
    auction = [MadeCall(Call(call)) for call in "3NT Pass Pass Pass".split()]

    def lost(spec: str) -> list[int]:
        shipped, make = parse(spec)
        seated = {seat: Seated(make(), shipped.cheat) for seat in SEATS}
        record = play_out("1", BOARD, auction, seated, 1).record
        assert str(record.contract) == "3NT"
        assert len(record.cards) == 52
        return lost_in([record])[0]

    assert lost("oracle") == [0, 0, 0]
    assert sum(lost("baseline")) > 0


def test_both_rooms_of_a_match_play_the_contract_of_the_record() -> None:
    auction = [MadeCall(Call(call)) for call in "3NT Pass Pass Pass".split()]
    game = BoardRecord(Board.dealt(1, 3), ("", "", "", ""), tuple(auction))
    assert match("baseline", "baseline")([game]) == [0]
    assert match("oracle", "baseline")([game])[0] > 0


def test_a_board_without_a_contract_cannot_be_played() -> None:
    seated = {seat: Seated(parse("baseline")[1](), cheat=False) for seat in SEATS}
    passes = [MadeCall(Call("Pass"))] * 4
    with pytest.raises(ValueError, match="a board was not played as it should be"):
        play_out("a board", BOARD, passes, seated, 1)


def test_a_bot_made_of_others_has_their_data() -> None:
    """New nets of `fastplay` are new cards for `champion`, `montecarlo`; `neural`'s are not."""
    own = {bot_digest(f"champion{options}") for options in ("", ":budget=0")}
    assert len(own) == 1
    assert not own & {"", bot_digest("neural"), bot_digest("fastplay")}
    assert bot_digest("montecarlo:worlds=20") == bot_digest("fastplay") != ""
    assert bot_digest("alphamu") == ""
