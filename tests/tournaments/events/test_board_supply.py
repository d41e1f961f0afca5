"""The boards of an event, by number."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import Mode
from bridge_arena.bridge.seats import SEATS
from bridge_arena.bridge.seeds import PublicSeed
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_game
from bridge_arena.tournaments.events.boards import (
    BIDDER,
    EXTRA,
    SUBSTITUTES,
    BoardSupply,
    GivenBoard,
    bid,
    boards_of,
    dealt_boards,
    in_supply,
    substitute,
)
from tests.tournaments.matches import table

FIVE = PublicSeed(5)


@pytest.mark.parametrize("mode", [Mode.FULL, Mode.BIDDING])
def test_boards_are_dealt_from_the_seed(mode: Mode) -> None:
    supply = BoardSupply(FIVE, mode)
    for number in (7, 1, EXTRA, EXTRA + 3):
        assert supply.board(number) == GivenBoard(Board.dealt(5, number), ())


def test_boards_of_play_mode_have_auctions_whatever_is_asked_first() -> None:
    supply = BoardSupply(FIVE, Mode.PLAY)
    expected = list(islice(dealt_boards(FIVE, system(BIDDER)), 80))
    numbers = [each.board.number for each in expected]
    assert numbers != list(range(1, 81))  # one at least is passed out
    assert supply.board(80) == expected[79]
    assert [supply.board(number) for number in range(1, 81)] == expected


def test_extra_boards_of_play_mode_are_no_others_deals() -> None:
    supply = BoardSupply(FIVE, Mode.PLAY)
    first, second = supply.board(EXTRA + 1), supply.board(EXTRA + 2)
    assert 2 * EXTRA < first.board.number < second.board.number
    assert first.auction == bid(first.board, system(BIDDER))
    assert BoardSupply(FIVE, Mode.PLAY).board(EXTRA + 2) == second


@pytest.mark.parametrize("mode", Mode)
def test_a_substitute_has_the_conditions_of_its_board_and_a_deal_of_its_own(mode: Mode) -> None:
    supply = BoardSupply(FIVE, mode)
    seen = {supply.board(number).board.deal for number in (1, 2, 3, EXTRA + 1)}
    for ruling in range(1, 40):
        for number in (1, 2, 16, 17, EXTRA + 1, substitute(3, 9)):
            board = supply.board(substitute(ruling, number)).board
            assert board == Board.dealt(5, board.number)
            assert in_supply(board.number) == substitute(ruling, number)
            assert board.number % 16 == number % 16
            assert board.deal not in seen
        seen.add(board.deal)


def test_ordinary_boards_are_no_substitutes() -> None:
    for number in (1, 255, EXTRA + 7, SUBSTITUTES):
        assert in_supply(number) == number


@pytest.mark.parametrize("mode", Mode)
def test_given_boards_come_first_and_extra_ones_are_dealt(mode: Mode) -> None:
    boards = {at: GivenBoard(Board.dealt(9, number), ()) for at, number in ((1, 4), (2, 2))}
    supply = BoardSupply(FIVE, mode, boards)
    assert {number: supply.board(number) for number in (1, 2)} == boards
    assert supply.board(EXTRA + 1) == BoardSupply(FIVE, mode).board(EXTRA + 1)


def test_seeds_are_of_the_number_on_the_board() -> None:
    supply = BoardSupply(FIVE, Mode.FULL, {1: GivenBoard(Board.dealt(9, 4), ())})
    assert supply.seeds(1) == supply.seeds(4) == tuple(FIVE.seat_seed(4, seat) for seat in SEATS)


@pytest.mark.parametrize("mode", Mode)
def test_there_is_no_board_before_the_first(mode: Mode) -> None:
    with pytest.raises(ValueError, match="no board 0: they are numbered from 1 on"):
        BoardSupply(FIVE, mode).board(0)


def test_more_boards_than_dealt_ones_have_numbers_for() -> None:
    """A long match of a file's boards has no extra boards."""
    last = GivenBoard(Board.dealt(9, 2), ())
    assert BoardSupply(FIVE, Mode.FULL, {EXTRA + 1: last}).board(EXTRA + 1) == last


# The boards of a file.


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three boards; the second was passed out."""
    records = [
        table(3, None, "1NT", "N", 7),
        table(3, None, "2S", "N", 7),
        table(1, None),
        table(8, None, "3NT", "E", 7),
    ]
    path = tmp_path / "boards.pbn"
    games = "".join(format_game(game_of(record)) for record in records)
    path.write_text(HEADER + games, encoding="latin-1")
    return path


def test_boards_of_a_file_come_in_its_order(path: Path) -> None:
    assert boards_of(path, Mode.FULL, 3) == tuple(
        GivenBoard(Board.dealt(1, number), ()) for number in (3, 1, 8)
    )
    assert [each.board.number for each in boards_of(path, Mode.BIDDING, 2)] == [3, 1]


def test_in_play_mode_boards_of_a_file_are_those_with_a_contract(path: Path) -> None:
    given = boards_of(path, Mode.PLAY, 2)
    assert [each.board.number for each in given] == [3, 8]
    assert all(each.auction for each in given)


def test_a_file_must_have_enough(path: Path) -> None:
    with pytest.raises(ValueError, match=r"boards.pbn: 3 different boards, but the event needs 4"):
        boards_of(path, Mode.FULL, 4)
    with pytest.raises(ValueError, match=r"2 different boards with a contract, but .* needs 3"):
        boards_of(path, Mode.PLAY, 3)


def test_a_file_of_boards_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match=r"none\.pbn: cannot be read"):
        boards_of(tmp_path / "none.pbn", Mode.FULL, 1)
