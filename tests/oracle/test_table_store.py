"""`oracle.table_store`: what is kept, what goes, and what damage, other processes and death do."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import Deal
from bridge_arena.oracle import table_store as module
from bridge_arena.oracle.double_dummy_table import PartialTable
from bridge_arena.oracle.table_store import NAME, TableStore, key_of, shared_store
from tests.data import ROOT
from tests.oracle.vectors import KNOWN_DEAL
from tests.patience import PATIENCE

NOTHING = PartialTable()

DEALS = [random_deal(8, number) for number in range(1, 401)]


def table_of(deal: Deal) -> PartialTable:
    """Twenty results, always the same for a deal."""
    return PartialTable.of((key_of(deal)[place % 13] + place) % 14 for place in range(20))


def keep(path: Path, deals: list[Deal], size: int = module.SIZE) -> None:
    store = TableStore(path, size)
    for deal in deals:
        store.keep(deal, table_of(deal))
    store.flush()


def find(path: Path, deals: list[Deal]) -> list[PartialTable]:
    """What a new process would find."""
    return TableStore(path).find(deals)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / NAME


class TestKeeping:
    def test_the_key_tells_deals_apart(self) -> None:
        assert len({key_of(deal) for deal in DEALS}) == len(DEALS)
        assert {len(key_of(deal)) for deal in DEALS} == {13}
        north, east, south, west = KNOWN_DEAL.hands
        assert key_of(Deal((east, north, south, west))) != key_of(KNOWN_DEAL)

    def test_results_that_are_kept_are_found(self, path: Path) -> None:
        keep(path, DEALS[::2])
        expected = [table_of(deal) if n % 2 == 0 else NOTHING for n, deal in enumerate(DEALS)]
        assert find(path, DEALS) == expected
        assert [each.name for each in path.parent.iterdir()] == [NAME]

    def test_a_result_is_found_before_it_is_written(self, path: Path) -> None:
        store = TableStore(path)
        store.keep(DEALS[0], table_of(DEALS[0]))
        assert not path.exists()
        assert store.find(DEALS[:2]) == [table_of(DEALS[0]), NOTHING]

    def test_a_result_is_written_without_being_told(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "_INTERVAL", 0.0)
        TableStore(path).keep(DEALS[0], table_of(DEALS[0]))
        assert find(path, DEALS[:1]) == [table_of(DEALS[0])]

    @settings(max_examples=20, deadline=None)
    @given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 19)), max_size=12), st.booleans())
    def test_results_come_together(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        known: list[tuple[int, int]],
        flushes: bool,  # noqa: FBT001
    ) -> None:
        path = tmp_path_factory.mktemp("store") / NAME
        store = TableStore(path)
        for number, place in known:
            whole = table_of(DEALS[number]).digits
            store.keep(DEALS[number], PartialTable("f" * place + whole[place] + "f" * (19 - place)))
            if flushes:
                store.flush()
        store.flush()
        expected = [
            PartialTable(
                "".join(
                    digit if (number, place) in known else "f"
                    for place, digit in enumerate(table_of(DEALS[number]).digits)
                )
            )
            for number in range(3)
        ]
        assert store.find(DEALS[:3]) == find(path, DEALS[:3]) == expected

    def test_only_the_owner_can_read_the_store(self, path: Path) -> None:
        keep(path, DEALS[:1])
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert path.stat().st_mode & 0o777 == 0o600


class TestSize:
    SIZE = 2 * 50 * module._BYTES
    """As much as 100 deals may take."""

    def test_the_store_does_not_outgrow_its_size(self, path: Path) -> None:
        deals = [random_deal(9, number) for number in range(1, 6001)]
        size = 128 * 1024
        for start in range(0, len(deals), 100):
            keep(path, deals[start : start + 100], size)
            assert path.stat().st_size <= size
        known = [table != NOTHING for table in find(path, deals)]
        assert not any(known[:3000])
        assert all(known[-1000:])

    def test_deals_that_nobody_asks_for_go_first(self, path: Path) -> None:
        keep(path, DEALS[:2], self.SIZE)
        for start in range(2, 400, 20):
            keep(path, DEALS[start : start + 20], self.SIZE)
            store = TableStore(path, self.SIZE)
            assert store.find(DEALS[:1]) == [table_of(DEALS[0])]
            store.flush()
        assert find(path, DEALS[:2]) == [table_of(DEALS[0]), NOTHING]

    def test_results_of_an_old_deal_are_not_lost_to_new_ones(self, path: Path) -> None:
        whole = table_of(DEALS[0]).digits
        store = TableStore(path, self.SIZE)
        store.keep(DEALS[0], PartialTable(whole[:10] + "f" * 10))
        store.flush()
        keep(path, DEALS[1:60], self.SIZE)  # the deal is now in the older table
        store.keep(DEALS[0], PartialTable("f" * 10 + whole[10:]))
        store.flush()
        assert find(path, DEALS[:1]) == [table_of(DEALS[0])]


@contextmanager
def one_warning(caplog: pytest.LogCaptureFixture, *words: str) -> Iterator[None]:
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        yield
    (record,) = caplog.records
    for word in words:
        assert word in record.getMessage()


class TestTrouble:
    def test_a_store_without_a_file_keeps_nothing(self) -> None:
        store = TableStore(None)
        store.keep(DEALS[0], table_of(DEALS[0]))
        store.flush()
        assert store.find(DEALS[:1]) == [NOTHING]
        assert store.files == []
        assert store.check() == 0

    @pytest.mark.parametrize("content", [b"no database " * 100, b"SQLite format 3\0" * 300])
    def test_a_damaged_file_is_warned_of_once(
        self, path: Path, content: bytes, caplog: pytest.LogCaptureFixture
    ) -> None:
        path.parent.mkdir()
        path.write_bytes(content)
        with one_warning(caplog, "not found", str(path)):
            store = TableStore(path)
            store.keep(DEALS[2], table_of(DEALS[2]))
            assert store.find(DEALS[:2]) == [NOTHING, NOTHING]
            for deal in DEALS:
                store.keep(deal, table_of(deal))
            store.flush()
        assert path.read_bytes() == content
        with one_warning(caplog, "not kept"):
            keep(path, DEALS)
        with pytest.raises(OSError, match=NAME):
            store.check()

    def test_a_file_of_another_program_is_warned_of_once(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        path.parent.mkdir()
        with closing(sqlite3.connect(path)) as file:
            file.execute("CREATE TABLE newer (deal, tricks)")
        with one_warning(caplog, "not found", "another program's"):
            assert find(path, DEALS[:1]) == [NOTHING]

    @pytest.mark.parametrize(
        "value",
        [
            b"",
            b"\xee" * 14,
            "text",
            7,
            bytes(14),
            module._value_of(key_of(DEALS[1]), table_of(DEALS[1])),
            module._value_of(key_of(DEALS[0]), NOTHING).replace(b"\xff", b"\xee"),
        ],
    )
    def test_a_row_that_cannot_be_is_not_believed(self, path: Path, value: object) -> None:
        keep(path, DEALS[:1])
        with closing(sqlite3.connect(path)) as file, file:
            file.execute("UPDATE newer SET tricks = ?", (value,))
        assert find(path, DEALS[:1]) == [NOTHING]
        keep(path, DEALS[:1])
        assert find(path, DEALS[:1]) == [table_of(DEALS[0])]

    @settings(max_examples=30, deadline=None)
    @example([(0.16363693133617938, 238)])  # SQLite's message has what is no text
    @given(st.lists(st.tuples(st.floats(0, 0.9999), st.integers(1, 255)), min_size=1, max_size=8))
    def test_no_damage_makes_a_wrong_answer(
        self, tmp_path_factory: pytest.TempPathFactory, damage: list[tuple[float, int]]
    ) -> None:
        path = tmp_path_factory.getbasetemp() / "whole.sqlite"
        if not path.exists():
            keep(path, DEALS, 2 * 300 * module._BYTES)  # in both tables
        damaged = path.with_name("damaged.sqlite")
        shutil.copy(path, damaged)
        content = bytearray(damaged.read_bytes())
        for place, bits in damage:
            content[int(place * len(content))] ^= bits
        damaged.write_bytes(content)
        for deal, found in zip(DEALS, find(damaged, DEALS), strict=True):
            assert found in (table_of(deal), NOTHING)
        keep(damaged, DEALS[:20])
        for deal, found in zip(DEALS, find(damaged, DEALS), strict=True):
            assert found in (table_of(deal), NOTHING)

    def test_a_folder_that_cannot_be_made_is_warned_of_once(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (tmp_path / "file").touch()
        store = TableStore(tmp_path / "file" / "cache" / NAME)
        with one_warning(caplog, "not kept", "Not a directory"):
            for deal in DEALS[:2]:
                store.keep(deal, table_of(deal))
                store.flush()
        assert store.find(DEALS[:1]) == [NOTHING]
        with pytest.raises(OSError, match="Not a directory"):
            store.check()

    def test_a_folder_that_cannot_be_looked_into_is_warned_of_once(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        store = TableStore(tmp_path / ("long" * 100) / NAME)
        with one_warning(caplog, "File name too long"):
            assert store.find(DEALS[:1]) == [NOTHING]
            store.keep(DEALS[0], table_of(DEALS[0]))
            store.flush()

    def test_a_file_that_stays_locked_is_warned_of_once(
        self, path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "_PATIENCE", 0.01)
        keep(path, DEALS[:1])
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with one_warning(caplog, "not kept", "database is locked"):
                keep(path, DEALS[1:2])
            with one_warning(caplog, "not found", "database is locked"):
                assert find(path, DEALS[:1]) == [NOTHING]
        assert find(path, DEALS[:2]) == [table_of(DEALS[0]), NOTHING]

    def test_a_file_that_can_only_be_read_still_answers(
        self, path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keep(path, DEALS[:1])
        # Root may write to any file, so it is SQLite that refuses.
        connect = sqlite3.connect

        def reading(place: Path, timeout: float, isolation_level: None) -> sqlite3.Connection:
            address = f"{place.as_uri()}?mode=ro"
            return connect(address, timeout=timeout, isolation_level=isolation_level, uri=True)

        monkeypatch.setattr(sqlite3, "connect", reading)
        with one_warning(caplog, "not kept", "readonly"):
            store = TableStore(path)
            for _ in range(2):
                store.keep(DEALS[1], table_of(DEALS[1]))
                store.flush()
            assert store.find(DEALS[:2]) == [table_of(DEALS[0]), NOTHING]

    def test_a_file_that_is_deleted_meanwhile_is_made_again(self, path: Path) -> None:
        store = TableStore(path)
        for deal in DEALS[:2]:
            store.keep(deal, table_of(deal))
            store.flush()
            path.unlink()
        store.keep(DEALS[2], table_of(DEALS[2]))
        store.flush()
        assert store.find(DEALS[:3]) == [NOTHING, NOTHING, table_of(DEALS[2])]


WRITER = """
import sys
from pathlib import Path
from tests.oracle.test_table_store import DEALS, TableStore, table_of

path, start, stop, rounds = Path(sys.argv[1]), *map(int, sys.argv[2:])
store = TableStore(path)
for number in range(rounds):
    for deal in DEALS[start + number % 10 : stop : 10]:
        store.keep(deal, table_of(deal))
    store.flush()
    if not number:
        print("writing", flush=True)
"""


@contextmanager
def writer(path: Path, start: int, stop: int, rounds: int) -> Iterator[subprocess.Popen[str]]:
    """A process that writes the tables of some deals, each ten rounds all of them."""
    words = [sys.executable, "-c", WRITER, str(path), *map(str, (start, stop, rounds))]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
def test_several_processes_and_one_that_is_killed(path: Path) -> None:
    with (
        writer(path, 0, 150, 10) as one,
        writer(path, 100, 250, 10) as two,
        writer(path, 200, 400, 1_000_000) as victim,
    ):
        assert victim.stdout is not None
        assert victim.stdout.readline() == "writing\n"
        assert find(path, DEALS[200:400:10]) == [table_of(deal) for deal in DEALS[200:400:10]]
        victim.send_signal(signal.SIGKILL)
        assert victim.wait(PATIENCE) == -signal.SIGKILL
        assert one.wait(PATIENCE) == two.wait(PATIENCE) == 0
    assert find(path, DEALS[:250]) == [table_of(deal) for deal in DEALS[:250]]
    for deal, found in zip(DEALS[250:], find(path, DEALS[250:]), strict=True):
        assert found in (table_of(deal), NOTHING)
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (count,) = file.execute("SELECT count(*) FROM newer").fetchone()
        assert file.execute("PRAGMA user_version").fetchone() == (count,)


def test_the_shared_store_is_one_in_the_cache_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert shared_store().path is None, "tests share no store"
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    assert shared_store().path == tmp_path / NAME
    assert shared_store() is shared_store()
