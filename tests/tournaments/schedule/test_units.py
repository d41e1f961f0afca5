"""Tests of units: their order, their ids, and the lineups."""

from __future__ import annotations

from bridge_arena.bridge.record import Room
from bridge_arena.bridge.seats import Side
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, Match, team_at

TEAMS = Match(2, 3, (4, 7), (11, 15))
PAIRS = Match(1, 1, (4, 7), (11,), (None,))
FOUR = Match(5, 2, (3, 1, 4, 0), (11,), (None,))


def test_every_board_is_played_in_both_rooms() -> None:
    assert [(unit.position, unit.board, unit.room) for unit in TEAMS.units()] == [
        (1, 11, Room.OPEN),
        (1, 11, Room.CLOSED),
        (2, 15, Room.OPEN),
        (2, 15, Room.CLOSED),
    ]


def test_names_of_units_do_not_change() -> None:
    """Stores keep these ids: an event that another version began must continue."""
    assert [unit.id for unit in TEAMS.units()] == [
        "2/3/1/open",
        "2/3/1/closed",
        "2/3/2/open",
        "2/3/2/closed",
    ]
    assert [unit.id for unit in PAIRS.units()] == ["1/1/1/table"]


def test_units_of_the_same_board_differ() -> None:
    again = Match(2, 3, (4, 7), (11, 11))
    assert len({unit.id for unit in again.units()}) == 4


def test_the_teams_change_sides_between_the_rooms() -> None:
    assert team_at(Side.NS, Room.OPEN) == team_at(Side.EW, Room.CLOSED) == HOME
    assert team_at(Side.EW, Room.OPEN) == team_at(Side.NS, Room.CLOSED) == VISITORS
    assert team_at(Side.NS, None) == HOME
    assert TEAMS.lineup(Room.OPEN) == (4, 7, 4, 7)
    assert TEAMS.lineup(Room.CLOSED) == (7, 4, 7, 4)


def test_pairs_and_players_sit_where_their_movement_says() -> None:
    (pairs,), (four,) = PAIRS.units(), FOUR.units()
    assert pairs.lineup == (4, 7, 4, 7)
    assert four.lineup == (3, 1, 4, 0)
