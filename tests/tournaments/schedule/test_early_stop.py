"""A sequential test ends a match on the same board, whatever order its tables end in."""

from __future__ import annotations

from random import Random

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.early_stop import EarlyStop
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.statistics.sequential import Sprt
from tests.tournaments.crossing import first_crossing
from tests.tournaments.scores import event, lost, record, units_of

TEST = "imp0=0 imp1=2 alpha=0.05 beta=0.05"
MATCH = event(Format.MATCH, 2, boards=60, sprt=TEST)
UNITS = units_of(plan(MATCH, []))

POINTS = [Random(9).choice((0, 0, 50, -50, 200, 420, 600)) for _ in range(60)]


def result(unit: Unit) -> BoardRecord:
    points = POINTS[unit.position - 1] if unit.place == "open" else 0
    return record(MATCH, unit, points)


def stopped(units: list[Unit]) -> EarlyStop:
    test = EarlyStop(MATCH)
    for unit in units:
        test.add(unit, result(unit))
    return test


def imps_of(points: int) -> int:
    return {0: 0, 50: 2, -50: -2, 200: 5, 420: 9, 600: 12}[points]


EXPECTED = first_crossing(Sprt.parse(TEST), [imps_of(points) for points in POINTS])


def test_the_test_ends_at_the_board_where_the_swings_in_order_do() -> None:
    assert EXPECTED is not None
    assert 3 < EXPECTED < 50
    assert stopped(UNITS).position == EXPECTED


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_the_tables_changes_nothing(seed: int) -> None:
    units = list(UNITS)
    Random(seed).shuffle(units)
    assert stopped(units).position == EXPECTED


def test_the_test_waits_for_the_board_that_is_missing() -> None:
    """It waits even if later boards are known; then it ends the match at once."""
    test = stopped([*UNITS[1:]])
    assert test.position is None
    test.add(UNITS[0], result(UNITS[0]))
    assert test.position == EXPECTED


def test_the_same_table_twice_counts_once() -> None:
    assert stopped([unit for unit in UNITS for _ in range(2)]).position == EXPECTED


def test_boards_beyond_the_end_are_known() -> None:
    test = stopped(UNITS)
    beyond = [unit.position for unit in UNITS if test.is_beyond(unit)]
    assert EXPECTED is not None
    assert beyond == [position for position in range(EXPECTED + 1, 61) for _ in range(2)]


def test_an_adjusted_board_counts_three_imps() -> None:
    test = EarlyStop(MATCH)
    for unit in UNITS:
        open_room = unit.place == "open"
        test.add(unit, lost(MATCH, unit, 1, adjusted=True) if open_room else record(MATCH, unit))
    assert test.position == first_crossing(Sprt.parse(TEST), [3] * 60)


def test_without_a_test_there_is_no_end() -> None:
    test = EarlyStop(MATCH.model_copy(update={"sprt": None}))
    for unit in UNITS:
        test.add(unit, result(unit))
    assert test.position is None
    assert not any(map(test.is_beyond, UNITS))
