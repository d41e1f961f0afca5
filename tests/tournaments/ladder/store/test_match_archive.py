"""Tests of what a ladder's store keeps of boards: swings, styles and PBN."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from itertools import chain
from pathlib import Path

import pytest
from sqlalchemy import update

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.read.records import read_records
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.style import Style
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import LadderMatchRow
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record

PLAYERS = "baseline", "random", "natural"


class PowerCutError(Exception):
    """What ends a ladder in the middle of a match."""


def result(event: Event, unit: Unit) -> BoardRecord:
    """The home team gains 130 points on the first board and loses 50 on the second."""
    if event.name == "Club 6" and unit.position == 2:
        raise PowerCutError
    points = (130 if unit.position == 1 else -50) if unit.room is Room.OPEN else 0
    fault = Fault(Seat.NORTH, FaultKind.ILLEGAL, 0, "1C is insufficient")
    return replace(record(event, unit, points), faults=(fault,))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    """A ladder of three players with five matches that are over, and one in play."""
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file(*PLAYERS)).close()
    with pytest.raises(PowerCutError):
        play(path, venues(result), None, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        yield store


def test_the_swings_of_a_versions_matches_are_kept_the_latest_first(store: LadderStore) -> None:
    every = store.archive.latest(99, [1, 2, 3])
    assert [one.number for one in every] == [5, 4, 3, 2, 1]
    assert every == store.archive.latest(99)
    assert [one.swings.tolist() for one in every] == [[4, -2]] * 5
    for version in (1, 2, 3):
        own = store.archive.latest(99, [version])
        assert own == [one for one in every if version in one.versions]
        assert store.archive.latest(1, [version]) == own[:1]
        earlier = [one for one in own if one.number < own[0].number]
        assert store.archive.latest(99, [version], before=own[0].number) == earlier


def test_the_matches_of_two_are_those_of_both_teams(store: LadderStore) -> None:
    between = store.archive.latest(99, [1], [2])
    every = store.archive.latest(99, [1, 2, 3])
    assert between == [one for one in every if {*one.versions} == {1, 2}]
    assert {one.versions for one in every} > {one.versions for one in between}
    assert store.archive.latest(99, [2], [1]) == between
    assert store.archive.latest(99, [1], [1]) == []


def test_swings_that_a_release_did_not_keep_are_not_known(store: LadderStore) -> None:
    engine, _ = store.place
    with statements(engine, "write") as connection:
        connection.execute(update(LadderMatchRow).values(swings=None))
    assert [*chain.from_iterable(one.swings for one in store.archive.latest(99, [1, 2, 3]))] == []


def test_styles_add_up_match_by_match(store: LadderStore) -> None:
    every = store.styles.of()
    assert store.styles.of([1]) + store.styles.of([2]) + store.styles.of([3]) == every
    # Each of the two rooms of a board is a table of both teams; all have North's fault.
    assert every.results == every.auctions == 2 * 2 * 2 * 5
    assert every.faults == {FaultKind.ILLEGAL: 2 * 2 * 5}
    assert store.styles.of([4]) == Style()


def test_pbn_has_the_boards_of_matches_that_are_over_and_names_no_program(
    store: LadderStore,
) -> None:
    pbn = store.archive.pbn([1, 3, 6, 7])
    records = list(read_records(BytesIO(pbn.encode("latin-1"))))
    assert [one.event for one in records] == ["Club 1"] * 4 + ["Club 3"] * 4
    assert "ArenaEvent" not in pbn
    assert list(read_records(BytesIO(store.archive.pbn([6]).encode()))) == []


def test_matches_that_were_audited_are_counted(store: LadderStore) -> None:
    assert store.archive.count_audited([1, 2, 3]) == 0
    store.audits.add(2, {})
    assert store.archive.count_audited([1, 2, 3]) == 1
    of_match = store.archive.latest(1, before=3)[0].versions
    assert store.archive.count_audited(of_match) == 1
