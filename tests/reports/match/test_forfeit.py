"""The fault that loses a match."""

from __future__ import annotations

from bridge_arena.bridge.record import Fault, FaultKind, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.match.forfeit import find_forfeit
from tests.tournaments.matches import table, unfinished

ILLEGAL = Fault(Seat.NORTH, FaultKind.ILLEGAL, 0)
CRASH = Fault(Seat.EAST, FaultKind.CRASH, 3, "its process ended")
NAMES = ("alpha", "beta")


def test_a_forfeit_is_an_unfinished_board_that_lost_a_player() -> None:
    survived = table(1, Room.OPEN, faults=(CRASH,))
    assert find_forfeit(NAMES, [survived, unfinished(2, Room.OPEN, ILLEGAL)]) is None
    lost = [unfinished(5, Room.OPEN, CRASH), unfinished(4, Room.CLOSED, CRASH)]
    forfeit = find_forfeit(NAMES, lost)
    assert forfeit is not None
    assert (forfeit.by, forfeit.to, forfeit.board) == ("alpha", "beta", 4)
    assert (forfeit.room, forfeit.fault.detail) == (Room.CLOSED, "its process ended")
