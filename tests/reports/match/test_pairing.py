"""Teams, paired boards, faults and forfeits."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.record import Fault, FaultKind, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.match.pairing import (
    find_forfeit,
    pair_boards,
    team_faults,
)
from bridge_arena.tournaments.schedule.units import HOME, VISITORS
from tests.reports.match.matches import worked_match
from tests.tournaments.matches import table, unfinished

ILLEGAL = Fault(Seat.NORTH, FaultKind.ILLEGAL, 0)
CRASH = Fault(Seat.EAST, FaultKind.CRASH, 3, "its process ended")


def test_boards_are_paired_by_number_from_any_order() -> None:
    records, _ = worked_match()
    pairs, single = pair_boards(reversed(records))
    assert [pair.board.number for pair in pairs] == [1, 2, 3]
    assert [pair.imps for pair in pairs] == [7, -9, 0]
    assert single == 0


def test_half_a_board_is_counted_as_such() -> None:
    records = [
        table(1, Room.OPEN, "1NT", "N", 7),
        unfinished(1, Room.CLOSED),
        table(2, None),
        unfinished(3, Room.OPEN),
    ]
    assert pair_boards(records) == ([], 2)


def test_the_same_record_twice_is_one() -> None:
    record = table(1, Room.OPEN)
    pairs, single = pair_boards([record, table(1, Room.CLOSED), record])
    assert (len(pairs), single) == (1, 0)


def test_a_board_played_twice_in_one_room_is_refused() -> None:
    with pytest.raises(ValueError, match="board 1 was played twice in the open room"):
        pair_boards([table(1, Room.OPEN), table(1, Room.OPEN, "1NT", "N", 7)])


def test_faults_belong_to_the_team_that_sat_there() -> None:
    records = [
        table(1, Room.OPEN, faults=(ILLEGAL,)),
        table(1, Room.CLOSED, faults=(ILLEGAL, ILLEGAL)),
        unfinished(2, Room.CLOSED, CRASH),
    ]
    assert team_faults(records, HOME) == [ILLEGAL, CRASH]
    assert team_faults(records, VISITORS) == [ILLEGAL, ILLEGAL]


def test_a_forfeit_is_an_unfinished_board_that_lost_a_player() -> None:
    survived = table(1, Room.OPEN, faults=(CRASH,))
    assert find_forfeit([survived, unfinished(2, Room.OPEN, ILLEGAL)]) is None
    forfeit = find_forfeit([unfinished(5, Room.OPEN, CRASH), unfinished(4, Room.CLOSED, CRASH)])
    assert forfeit is not None
    assert (forfeit.team, forfeit.board, forfeit.room) == (HOME, 4, Room.CLOSED)
    assert forfeit.fault.detail == "its process ended"
