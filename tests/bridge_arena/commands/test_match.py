"""Tests of the score that is shown while a match is played."""

from __future__ import annotations

from bridge_arena.commands.match import RunningScore
from bridge_arena.tournaments.events.event import Format
from bridge_arena.tournaments.schedule.plan import plan
from tests.tournaments.scores import event, record, units_of

MATCH = event(Format.MATCH, 2, boards=4)


def test_the_score_counts_a_board_when_both_rooms_have_finished_it() -> None:
    points = (110, 80, 140, 140, 80, 140)  # +1 IMP, level, -2 IMPs
    records = [
        record(MATCH, unit, each)
        for unit, each in zip(units_of(plan(MATCH, [])), points, strict=False)
    ]
    score = RunningScore()
    assert [score.after(each) for each in records] == [
        "+0 IMPs after 0 boards",
        "+1 IMP after 1 board",
        "+1 IMP after 1 board",
        "+1 IMP after 2 boards",
        "+1 IMP after 2 boards",
        "-1 IMP after 3 boards",
    ]
