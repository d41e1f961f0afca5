"""The store: what was saved is there, whatever happened to whoever saved it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.board import Board
from bridge.calls import PASS, Call
from bridge.explanation import Explanation
from bridge.record import MadeCall, Mode
from bridge.seats import Seat, Vulnerability
from tournaments.schedule import Unit, match_schedule
from tournaments.store import MatchSetup, Result, Store, StoreError

BOARDS = (
    Board.dealt(1, 1),
    Board(1, Seat.WEST, Vulnerability.parse("EW"), Board.dealt(1, 2).deal),
)
SETUP = MatchSetup("baseline", "cmd:./bot x", 2**80, "2.5", BOARDS)
STRONG = MadeCall(Call("1NT"), alert=True, explanation=Explanation("strong", (15, 17)))
PLAY_SETUP = replace(
    SETUP,
    mode=Mode.PLAY,
    auctions=(
        (STRONG, *[MadeCall(PASS)] * 3),
        (MadeCall(PASS), MadeCall(Call("7S"), explanation=Explanation()), *[MadeCall(PASS)] * 3),
    ),
)
UNITS = match_schedule(BOARDS)


def result(unit: Unit, pbn: str = "a game", *, finished: bool = True) -> Result:
    return Result(unit.id, pbn, finished, [("N", 1.25), ("E", 0.5)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store.create(path, SETUP)
    yield store
    store.close()


def reopened(path: Path) -> list[Result]:
    store = Store.open(path)
    try:
        return list(store.results())
    finally:
        store.close()


def test_the_setup_is_kept(store: Store, path: Path) -> None:
    assert store.setup() == SETUP
    again = Store.open(path)
    assert again.setup() == SETUP
    again.close()


@pytest.mark.parametrize("setup", [replace(SETUP, mode=Mode.BIDDING), PLAY_SETUP])
def test_mode_and_given_auctions_are_kept(path: Path, setup: MatchSetup) -> None:
    Store.create(path, setup).close()
    again = Store.open(path)
    assert again.setup() == setup
    again.close()


def test_a_store_from_before_there_were_modes_holds_a_whole_match(store: Store, path: Path) -> None:
    store.save(UNITS[0], result(UNITS[0]))
    store.close()
    change(path, "alter table match drop column mode")
    change(path, "alter table board drop column auction")
    for _ in range(2):
        again = Store.open(path)
        assert again.setup() == SETUP
        assert again.finished() == {UNITS[0].id}
        again.close()


def test_a_new_store_has_no_results(store: Store) -> None:
    assert store.finished() == set()
    assert list(store.results()) == []


def test_results_come_in_schedule_order(store: Store, path: Path) -> None:
    for unit in reversed(UNITS):
        store.save(unit, result(unit, f"game of {unit.id}"))
    assert list(store.results()) == [result(unit, f"game of {unit.id}") for unit in UNITS]
    assert reopened(path) == list(store.results())


def test_order_is_by_position_not_by_text(path: Path) -> None:
    boards = tuple(Board.dealt(1, number) for number in range(1, 12))
    store = Store.create(path, MatchSetup("a", "b", 1, "60", boards))
    units = match_schedule(boards)
    for unit in sorted(units, key=lambda unit: unit.id):
        store.save(unit, result(unit))
    assert [each.unit for each in store.results()] == [unit.id for unit in units]
    store.close()


def test_each_result_is_there_as_soon_as_it_is_saved(store: Store, path: Path) -> None:
    """Read by another connection, as after a crash of the one that wrote."""
    store.save(UNITS[0], result(UNITS[0]))
    assert reopened(path) == [result(UNITS[0])]


def test_an_unfinished_result_is_replaced(store: Store) -> None:
    store.save(UNITS[0], result(UNITS[0], "half a game", finished=False))
    assert store.finished() == set()
    assert [each.pbn for each in store.results()] == ["half a game"]
    store.save(UNITS[0], result(UNITS[0], "a whole game"))
    assert store.finished() == {UNITS[0].id}
    assert [each.pbn for each in store.results()] == ["a whole game"]


def test_a_store_is_not_overwritten(store: Store, path: Path) -> None:
    with pytest.raises(
        StoreError, match="exists already: choose another --out, or go on with --resume"
    ):
        Store.create(path, SETUP)
    assert store.setup() == SETUP


def test_a_folder_without_a_store(path: Path) -> None:
    with pytest.raises(StoreError, match=r"holds no match \(results.sqlite is missing\)"):
        Store.open(path)
    assert not path.exists()


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_bytes(b"something else " * 100)
    with pytest.raises(StoreError, match="file is not a database"):
        Store.open(path)


def test_a_database_of_something_else(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table shopping (item text)")
    with pytest.raises(StoreError, match="no such table"):
        Store.open(path)


def test_a_store_without_its_match(store: Store, path: Path) -> None:
    change(path, "delete from match")
    with pytest.raises(StoreError, match="No row was found"):
        store.setup()


@pytest.mark.parametrize(
    "statement",
    [
        "update board set deal = 'N:A ... ... ...'",
        "update board set dealer = 'Q'",
        "update match set seed = 'none'",
        "update match set mode = 'other'",
        "update match set mode = 'play'",
    ],
)
def test_a_store_with_rubbish_in_it(store: Store, path: Path, statement: str) -> None:
    change(path, statement)
    with pytest.raises(StoreError, match="cannot read"):
        store.setup()


def test_a_store_that_lost_its_results(store: Store, path: Path) -> None:
    change(path, "drop table result")
    for look in (store.finished, lambda: list(store.results())):
        with pytest.raises(StoreError, match=r"cannot read .*no such table: result"):
            look()
    with pytest.raises(StoreError, match=r"cannot write .*no such table: result"):
        store.save(UNITS[0], result(UNITS[0]))


@pytest.mark.parametrize("name", ["what?mode=memory", "50%25", "a#b", "größe & co"])
def test_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name / "results.sqlite"
    path.parent.mkdir()
    Store.create(path, SETUP).close()
    assert path.exists()
    assert reopened(path) == []


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
