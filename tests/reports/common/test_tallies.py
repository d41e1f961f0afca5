"""Tallies hold what a record has, and no numbers that no table has."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.record import BoardRecord, ModelUse, RecordedThought
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.reports.common.tallies import FAULT_KINDS, NO_SCORE, NONE, Tallies
from bridge_arena.tournaments import Played
from tests.pbn.strategies import records

TIMES = st.lists(st.floats(0, 1e6), max_size=3).map(tuple)
TIMED = st.tuples(records(), st.tuples(TIMES, TIMES, TIMES, TIMES)).map(
    lambda drawn: Played(replace(drawn[0], times=drawn[1]))
)
PARTS = ("tables", "faults", "times", "model_uses")


@given(st.lists(TIMED, max_size=3))
def test_tallies_have_the_numbers_of_their_records(tables: list[Played]) -> None:
    tallies = Tallies.unpacked(Tallies.made(tables).packed())
    for row, record in zip(tallies.tables, (table.record for table in tables), strict=True):
        assert row["score"] == (NO_SCORE if record.score is None else record.score)
        assert row["adjusted"] == (NONE if record.adjusted is None else record.adjusted)
        assert row["last_at_fault"] == (record.faults[-1].seat if record.faults else NONE)
        assert row["level"] == (0 if record.contract is None else record.contract.level)
        assert row["actions"].tolist() == list(map(len, record.times))
    assert tallies.times.tolist() == [
        time for table in tables for own in table.record.times for time in own
    ]
    assert [(SEATS[seat], FAULT_KINDS[kind]) for seat, kind in tallies.faults.tolist()] == [
        (fault.seat, fault.kind) for table in tables for fault in table.record.faults
    ]


@pytest.mark.slow
@given(st.lists(TIMED, min_size=1, max_size=4), st.data())
def test_the_tallies_of_some_rows_are_those_of_their_tables(
    tables: list[Played], data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.integers(0, len(tables) - 1), max_size=5))
    own = Tallies.made([tables[row] for row in rows])
    assert Tallies.made(tables).taken(rows).packed() == own.packed()


USE = ModelUse(3, 1, 1, 1, answered=True, tokens_in=2**40, tokens_out=7, money=0.5, seconds=1.25)


@given(records())
def test_tallies_have_what_was_asked_of_language_models(record: BoardRecord) -> None:
    thoughts = (
        RecordedThought(Seat.EAST, 0, model=replace(USE, same=True)),
        RecordedThought(Seat.WEST, 0, "no model"),
        RecordedThought(Seat.SOUTH, len(record.calls), model=USE),
    )
    asked = replace(record, thoughts=thoughts)
    tallies = Tallies.made([Played(record), Played(asked)])
    assert tallies.tables["model_uses"].tolist() == [0, 2]
    assert tallies.model_uses.tolist() == [
        (Seat.EAST, not record.calls, 3, 1, 1, 1, 1, 1, 2**40, 7, 0.5, 1.25),
        (Seat.SOUTH, True, 3, 1, 1, 1, 1, NONE, 2**40, 7, 0.5, 1.25),
    ]


@given(records())
def test_a_number_that_is_too_large_is_an_error(record: BoardRecord) -> None:
    with pytest.raises(ValueError, match="that no tally holds"):
        Tallies.made([Played(replace(record, score=2**31))])


@given(TIMED, st.sampled_from(PARTS), st.data())
def test_other_bytes_are_refused_or_numbers_of_a_table(
    table: Played, part: str, data: st.DataObject
) -> None:
    packed = Tallies.made([table]).packed()
    own = bytearray(packed[part])
    for _ in range(data.draw(st.integers(1, 3))):
        if own:
            own[data.draw(st.integers(0, len(own) - 1))] = data.draw(st.integers(0, 255))
    try:
        tallies = Tallies.unpacked({**packed, part: bytes(own)})
    except ValueError:
        return
    assert tallies.tables["level"][0] in range(8)
    assert tallies.tables["actions"].sum() == len(tallies.times)


@given(TIMED, st.sampled_from(PARTS), st.binary(min_size=1, max_size=7))
def test_a_part_of_another_size_is_refused(table: Played, part: str, more: bytes) -> None:
    packed = Tallies.made([table]).packed()
    with pytest.raises(ValueError, match=r"numbers that no table has|multiple of element size"):
        Tallies.unpacked({**packed, part: packed[part] + more})
