"""Boards made of solved deals keep their solutions when they are turned and reordered."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hand_of, hands_array
from bridge_arena.bots.library.many_auctions.boards import Boards, Tricks, drawn, in_turn
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle import solver
from bridge_arena.oracle.solved_deals import SolvedDeals

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
