"""The tables of a leaderboard, of tallies that a store keeps or of its records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.commands.common.loading import load_tallied
from bridge_arena.reports.common.tallies import packed_tables
from bridge_arena.tournaments import STORE, GivenBoard, Played, Store, Unit
from bridge_arena.tournaments.formats.rules import Format
from tests.reports.leaderboard.events import event, result, units

EVENT = event(Format.MATCH, "alpha", "beta", boards=3)
UNITS = units(EVENT)
TABLES = {unit.id: result(EVENT, unit) for unit in UNITS}
BOARDS = {unit.board: TABLES[unit.id].board for unit in UNITS}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store.create(tmp_path / STORE, EVENT)) as store:
        yield store


def play(store: Store, played: Iterable[Unit]) -> None:
    for unit in played:
        store.schedule([unit.match], {unit.board: GivenBoard(BOARDS[unit.board], ())})
        store.save(unit, TABLES[unit.id].record)


def keep(store: Store, kept: Iterable[Unit]) -> None:
    numbers = {board: number for number, board in BOARDS.items()}
    columns = packed_tables({unit.id: TABLES[unit.id] for unit in kept}, numbers)
    store.keep_tallies(0, 0, columns)


def rooms(tables: Iterable[Played]) -> list[tuple[Board, object]]:
    return [(table.board, table.result.room) for table in tables]


def test_tallies_of_tables_come_in_schedule_order(store: Store) -> None:
    play(store, UNITS)
    keep(store, reversed(UNITS))
    assert rooms(load_tallied(store).played) == rooms(TABLES.values())


def test_a_tally_whose_record_is_gone_does_not_count(store: Store) -> None:
    """Also where as many other tables were played: an earlier release deletes no tallies."""
    play(store, UNITS[1:])
    keep(store, UNITS[:-1])
    for _ in range(2):
        assert rooms(load_tallied(store).played) == rooms(list(TABLES.values())[1:])


def test_a_board_that_another_process_adds_and_tallies_breaks_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(store, UNITS[:2])
    boards = Store.boards

    def before_others(self: Store) -> dict[int, GivenBoard]:
        known = boards(self)
        monkeypatch.undo()
        play(self, UNITS[2:])
        keep(self, UNITS)
        return known

    monkeypatch.setattr(Store, "boards", before_others)
    assert rooms(load_tallied(store).played) == rooms(list(TABLES.values())[:2])
    assert rooms(load_tallied(store).played) == rooms(TABLES.values())
