"""Tests of what is left to play, as the records alone tell it."""

from __future__ import annotations

import pytest

from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.left_to_play import Remaining
from bridge_arena.tournaments.schedule.plan import plan
from tests.tournaments.scores import event, lost, play_out, record, units_of


@pytest.mark.parametrize("format_", [Format.MATCH, Format.ROUND_ROBIN, Format.KNOCK_OUT])
def test_an_event_is_over_when_its_last_unit_is_played(format_: Format) -> None:
    whole = event(format_, 2 if format_ is Format.MATCH else 4)
    records = play_out(whole, lambda unit: record(whole, unit, 100 * unit.lineup[0]))
    assert Remaining(whole, records).is_over
    last = list(records)[-1]
    remaining = Remaining(whole, {unit: each for unit, each in records.items() if unit != last})
    assert not remaining.is_over
    assert last in [unit.id for unit in remaining.left(remaining.units)]


def test_of_an_entry_that_is_withdrawn_nothing_is_left() -> None:
    whole = event(Format.MATCH, 2)
    first, *others = units_of(plan(whole, []))
    remaining = Remaining(whole, {first.id: lost(whole, first, 0)})
    assert others
    assert remaining.is_over
