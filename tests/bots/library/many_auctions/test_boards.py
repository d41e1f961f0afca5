"""Boards of solved deals, contracts and their scores, and matches of partnerships."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.library.learning.hands import hand_of, hands_array
from bridge_arena.bots.library.learning.scores import risks_table
from bridge_arena.bots.library.many_auctions.auctions import Auctions, vulnerability
from bridge_arena.bots.library.many_auctions.boards import (
    Boards,
    Contracts,
    SystemCaller,
    Tricks,
    bid_out,
    drawn,
    imps,
    in_turn,
    match,
)
from bridge_arena.bridge import scoring
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import CALL_TEXTS, DENOMINATIONS, Contract, Risk
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle import solver
from bridge_arena.oracle.solved_deals import SolvedDeals
from tests.bots.neural.nets import nets

DEALS = [random_deal(19, number) for number in range(1, 3)]


@pytest.fixture(scope="module")
def solved() -> SolvedDeals:
    return SolvedDeals.of(DEALS, solver.tables(DEALS))


def table(boards: Boards, row: int) -> Tricks:
    """Return the tricks of a board, 5×4, with the dealer taken for North."""
    north, east, south, west = (hand_of(boards.hands[row, seat]) for seat in range(4))
    deal = Deal((north, east, south, west))
    found: Tricks = SolvedDeals.of([deal], solver.tables([deal])).tricks[0]
    return found


def test_drawn_boards_are_solved(solved: SolvedDeals) -> None:
    boards, tricks = drawn(solved, np.random.default_rng(4), 3)
    for row in range(len(boards)):
        assert np.array_equal(tricks[row], table(boards, row))


def test_boards_in_turn_are_solved(solved: SolvedDeals) -> None:
    boards, tricks = in_turn(solved)
    for row, deal in enumerate(DEALS):
        dealer = SEATS[row % 4]
        expected = hands_array([deal[SEATS[(dealer + seat) % 4]] for seat in range(4)])
        assert np.array_equal(boards.hands[row], expected)
        assert np.array_equal(tricks[row], table(boards, row))


def test_boards_in_turn_have_all_conditions() -> None:
    seats = np.tile(SolvedDeals.of(DEALS[:1], solver.tables(DEALS[:1])).seats, (16, 1))
    boards, _ = in_turn(SolvedDeals(seats, np.zeros((16, 5, 4), np.uint8)))
    north = [boards.hands[row, -row % 4] for row in range(16)]
    assert all(np.array_equal(each, north[0]) for each in north)
    conditions = {(number % 4, *map(bool, each)) for number, each in enumerate(boards.vulnerable)}
    assert len(conditions) == 16


def test_hands_of_boards_are_in_turns_from_the_dealer() -> None:
    own = [Board.dealt(5, number) for number in range(1, 17)]
    boards = Boards.of(own)
    for row, board in enumerate(own):
        for seat in SEATS:
            place = (seat - board.dealer) % 4
            assert hand_of(boards.hands[row, place]) == board.deal[seat]
            assert boards.vulnerable[row, place % 2] == board.vulnerability.includes(seat.side)


def test_random_boards_deal_the_pack() -> None:
    boards = Boards.random(np.random.default_rng(1), 300)
    assert (boards.hands.sum(axis=2) == 13).all()
    assert (boards.hands.sum(axis=1) == 1).all()
    assert len({tuple(each) for each in boards.vulnerable}) == 4


def test_points_are_those_of_the_dealers_side() -> None:
    rng = np.random.default_rng(2)
    number = 2000
    boards = Boards(np.zeros((number, 4, 52), np.bool_), rng.random((number, 2)) < 0.5)
    tricks = rng.integers(14, size=(number, 5, 4)).astype(np.uint8)
    contracts = Contracts(
        rng.integers(36, size=number), rng.integers(3, size=number), rng.integers(4, size=number)
    )
    points = contracts.points(boards, tricks)
    words = {(False, False): "None", (True, False): "NS", (False, True): "EW", (True, True): "All"}
    for row, bid in enumerate(contracts.bid):
        if not bid:
            assert points[row] == 0
            continue
        level, denomination = divmod(int(bid) - 1, 5)
        # The dealer sits North.
        declarer = Seat(int(contracts.declarer[row]))
        risk = Risk(int(contracts.risk[row]))
        contract = Contract(level + 1, DENOMINATIONS[denomination], risk, declarer)
        dealers, others = map(bool, boards.vulnerable[row])
        vulnerability = Vulnerability.parse(words[dealers, others])
        taken = int(tricks[row, denomination, declarer])
        assert points[row] == scoring.score_ns(contract, taken, vulnerability)


def test_imps_of_either_sign_are_those_of_the_scale() -> None:
    differences = np.arange(-5000, 5001, 10)
    assert imps(differences).tolist() == [scoring.imps(int(each)) for each in differences]


def test_every_risk_has_its_points() -> None:
    table = risks_table()
    three_notrump = Contract(3, DENOMINATIONS[4], Risk.REDOUBLED, Seat.EAST)
    expected = scoring.score_ns(three_notrump, 5, Vulnerability.EW)
    assert table[1, 2, 15, 5] == -expected
    assert (table[:, :, 0] == 0).all()


GAME = CALL_TEXTS.index("3NT")


class Opens3NT:
    """Bids 3NT where nobody has bid, and passes."""

    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        assert len(boards) == len(auctions)
        return np.where(auctions.last == 0, GAME, 0)


class Passes:
    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        return np.zeros_like(auctions.last[: len(boards)], np.int64)


def test_the_partner_who_first_named_the_strain_declares() -> None:
    boards = Boards.random(np.random.default_rng(1), 3)
    contracts = bid_out(boards, Passes(), Opens3NT())
    assert contracts.bid.tolist() == [15] * 3
    assert contracts.declarer.tolist() == [1] * 3
    assert contracts.risk.tolist() == [0] * 3
    assert bid_out(boards, Passes(), Passes()).bid.tolist() == [0] * 3


def test_a_match_is_won_by_who_bids_the_game_that_makes() -> None:
    boards = Boards.random(np.random.default_rng(1), 2)
    vulnerable = Boards(boards.hands, np.array([[True, False], [False, False]]))
    tricks = np.zeros((2, 5, 4), np.uint8)
    tricks[:, 4] = [[9, 6, 9, 6], [6, 9, 6, 9]]
    # Dealer's 3NT makes 600, and East's goes three off: 150. Then 150 lost, and 400 won.
    won = match(vulnerable, tricks, Opens3NT(), Passes())
    assert won.tolist() == [10, 6]
    assert match(vulnerable, tricks, Passes(), Opens3NT()).tolist() == [-10, -6]


def test_a_match_against_oneself_is_level() -> None:
    net = nets(6)
    rng = np.random.default_rng(1)
    tricks = rng.integers(14, size=(20, 5, 4)).astype(np.uint8)
    assert not match(Boards.random(rng, 20), tricks, net, net).any()


@pytest.mark.parametrize("name", ["natural", "qtable", "deepq"])
def test_a_system_bids_many_boards_as_one(name: SystemName) -> None:
    boards = Boards.random(np.random.default_rng(8), 20)
    caller, alone = SystemCaller(name), system(name)
    contracts = bid_out(boards, caller, caller)
    for row in range(len(boards)):
        auction = Auction(Seat.NORTH)
        vulnerable = vulnerability(*map(bool, boards.vulnerable[row]))
        while not auction.is_over:
            hand = hand_of(boards.hands[row, auction.turn])
            auction.push(alone.choose(hand, auction, vulnerable).call)
        contract = auction.contract
        if contract is None:
            assert contracts.bid[row] == 0
            continue
        assert contracts.bid[row] == 5 * (contract.level - 1) + contract.denomination + 1
        assert contracts.risk[row] == contract.risk
        assert contracts.declarer[row] == contract.declarer
