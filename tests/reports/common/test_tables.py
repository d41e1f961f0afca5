"""Tables of a match by board and room."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.tables import (
    TeamMatch,
    planned_matches,
    seated_tables,
    team_matches,
)
from tests.reports.match.matches import figures_of, results_of, worked_match
from tests.tournaments.matches import table, unfinished

ILLEGAL = Fault(Seat.NORTH, FaultKind.ILLEGAL, 0)
CRASH = Fault(Seat.EAST, FaultKind.CRASH, 3, "its process ended")


def match_of(records: Sequence[BoardRecord]) -> TeamMatch:
    results = results_of(records, {})
    planned = planned_matches(results)
    (match,) = team_matches(results, planned, seated_tables(results, planned))
    return match


def test_boards_are_paired_by_number_from_any_order() -> None:
    records, _ = worked_match()
    boards = match_of(records[::-1]).boards
    assert [board.board.number for board in boards] == [1, 2, 3]
    assert [board.imps for board in boards] == [7, -9, 0]


def test_half_a_board_does_not_count() -> None:
    records = [
        *(table(1, Room.OPEN, "1NT", "N", 7), unfinished(1, Room.CLOSED)),
        *(table(2, None), unfinished(3, Room.OPEN)),
    ]
    match = match_of(records)
    assert [board.imps for board in match.boards] == [None, None, None]
    assert match.outcome.boards == 0
    assert figures_of(records, {}).single_table_boards == 2


def test_a_board_that_was_begun_again_is_what_it_came_to() -> None:
    again = [unfinished(1, Room.OPEN), table(1, Room.OPEN, "1NT", "N", 7), table(1, Room.CLOSED)]
    for records in (again, again[::-1]):
        assert [board.imps for board in match_of(records).boards] == [3]


@pytest.mark.parametrize(("room", "where"), [(Room.OPEN, "the open room"), (None, "one match")])
def test_a_board_played_twice_in_one_room_is_refused(room: Room | None, where: str) -> None:
    with pytest.raises(ValueError, match=f"board 1 was played twice in {where}"):
        match_of([table(1, room), table(1, room, "1NT", "N", 7)])


def test_faults_belong_to_the_team_that_sat_there() -> None:
    records = [
        table(1, Room.OPEN, faults=(ILLEGAL,)),
        table(1, Room.CLOSED, faults=(ILLEGAL, ILLEGAL)),
        unfinished(2, Room.CLOSED, CRASH),
    ]
    alpha, beta = (bot.conduct for bot in figures_of(records, {}).bots)
    assert (alpha.illegal_actions, alpha.lost_players, alpha.first) == (1, 1, ILLEGAL)
    assert (beta.illegal_actions, beta.lost_players) == (2, 0)
