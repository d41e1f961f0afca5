"""What is to be played, its names, and who sits where."""

from __future__ import annotations

from bridge.board import Board
from bridge.record import Room
from bridge.seats import Side
from tournaments.schedule import HOME, VISITORS, match_schedule, team_at

BOARDS = [Board.dealt(1, number) for number in (1, 2)]


def test_every_board_is_played_in_both_rooms() -> None:
    assert [(unit.board, unit.room) for unit in match_schedule(BOARDS)] == [
        (BOARDS[0], Room.OPEN),
        (BOARDS[0], Room.CLOSED),
        (BOARDS[1], Room.OPEN),
        (BOARDS[1], Room.CLOSED),
    ]


def test_names_of_units_do_not_change() -> None:
    """Stores hold them: a match begun under another version goes on."""
    assert [unit.id for unit in match_schedule(BOARDS)] == [
        "match/1/1/1/1/open",
        "match/1/1/1/1/closed",
        "match/1/1/1/2/open",
        "match/1/1/1/2/closed",
    ]


def test_units_of_boards_of_the_same_number_differ() -> None:
    units = match_schedule([BOARDS[0], Board.standard(1, BOARDS[1].deal)])
    assert len({unit.id for unit in units}) == 4


def test_the_teams_change_sides_between_the_rooms() -> None:
    assert team_at(Side.NS, Room.OPEN) == team_at(Side.EW, Room.CLOSED) == HOME
    assert team_at(Side.EW, Room.OPEN) == team_at(Side.NS, Room.CLOSED) == VISITORS
    assert team_at(Side.NS, None) == HOME
