"""SQLite files that a stranger may have made."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DatabaseError

from bridge_arena.base.foreign_sqlite import guard

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT count(x) FROM c"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = create_engine(f"sqlite:///{tmp_path / 'foreign.sqlite'}")
    guard(engine)
    yield engine
    engine.dispose()


def make(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    "statements",
    [
        [f"CREATE VIEW strange AS {ENDLESS}"],
        ["CREATE TABLE a (b)", "CREATE TRIGGER strange AFTER INSERT ON a BEGIN DELETE FROM a; END"],
        ["CREATE VIRTUAL TABLE strange USING fts5 (a)"],
        ["CREATE TABLE strange (a, b AS (hex(zeroblob(500000000))))"],
        ["CREATE TABLE strange (a, b AS (hex(zeroblob(500000000))) STORED)"],
        [
            f"CREATE VIEW strange AS {ENDLESS}",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET type = 'table' WHERE name = 'strange'",
        ],
    ],
    ids=["view", "trigger", "virtual", "computed", "stored", "disguised"],
)
def test_what_is_no_plain_table_is_refused_by_name(
    engine: Engine, tmp_path: Path, statements: list[str]
) -> None:
    make(tmp_path / "foreign.sqlite", *statements)
    with pytest.raises(DatabaseError, match="strange"):
        engine.connect()


def test_tables_and_indices_are_plain(engine: Engine, tmp_path: Path) -> None:
    make(
        tmp_path / "foreign.sqlite",
        'CREATE TABLE "some table" (a INTEGER PRIMARY KEY, b UNIQUE, c DEFAULT 1)',
        "CREATE INDEX one ON 'some table' (c)",
        "CREATE UNIQUE INDEX two ON 'some table' (b, c)",
        "ALTER TABLE 'some table' RENAME TO other",
    )
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM other")).scalar() == 0


def test_a_signal_interrupts_what_takes_for_ever(engine: Engine) -> None:
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        with engine.connect() as connection:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.01)
            with pytest.raises(KeyboardInterrupt):
                connection.execute(text(ENDLESS)).all()
    finally:
        signal.signal(signal.SIGVTALRM, before)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1


def test_a_value_cannot_fill_the_memory(engine: Engine) -> None:
    with engine.connect() as connection, pytest.raises(DatabaseError, match="too big"):
        connection.execute(text("SELECT zeroblob(100000000)")).all()
