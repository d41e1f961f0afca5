"""The schema: it is what the models say, new or migrated, and nothing else is touched."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from sqlalchemy import event, inspect, text

import bridge_arena.tournaments.store
from bridge_arena.tournaments.store import Store, StoreError
from bridge_arena.tournaments.store.database import (
    HEAD,
    connect,
    create_schema,
    is_locked,
    is_prepared,
    is_url,
    locked,
)
from bridge_arena.tournaments.store.models import Base
from tests.late_imports import late_imports

with late_imports():
    from alembic.autogenerate import compare_metadata
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory


def test_the_head_of_the_migrations_is_that_of_this_release() -> None:
    config = Config()
    folder = Path(bridge_arena.tournaments.store.__path__[0]) / "migrations"
    config.set_main_option("script_location", str(folder))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


@pytest.mark.parametrize("revisions", [[HEAD], ["0001", HEAD]], ids=["new", "migrated"])
def test_a_new_store_and_a_migrated_one_are_what_the_models_say(
    place: str, revisions: list[str]
) -> None:
    engine = connect(place)
    for revision in revisions:
        assert not is_prepared(engine)
        create_schema(engine, revision)
    assert is_prepared(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
        found = inspect(connection)
        assert {*found.get_table_names()} == {*Base.metadata.tables, "alembic_version"}
        for table in Base.metadata.sorted_tables:
            # What compare_metadata leaves out.
            key = found.get_pk_constraint(table.name)["constrained_columns"]
            assert key == [column.name for column in table.primary_key]
            keys = {
                tuple(each["constrained_columns"]): each["referred_table"]
                for each in found.get_foreign_keys(table.name)
            }
            assert keys == {
                tuple(each.column_keys): each.referred_table.name
                for each in table.foreign_key_constraints
            }
    engine.dispose()


def test_preparing_a_database_again_changes_nothing(place: str) -> None:
    engine = connect(place)
    create_schema(engine)
    create_schema(engine)
    assert is_prepared(engine)
    engine.dispose()


@pytest.mark.parametrize(
    ("revision", "table", "lock"), [("0001", "event", 1), ("0012", "ladder", -1)]
)
def test_a_store_that_an_earlier_release_plays_stays_as_it_is(
    place: str, revision: str, table: str, lock: int
) -> None:
    engine = connect(place)
    create_schema(engine, revision)
    with engine.begin() as connection:
        connection.execute(text(f"INSERT INTO {table} VALUES (1, 'Cup', '{{}}')"))
    earlier = connect(place)
    with locked(earlier, lock), pytest.raises(StoreError, match="earlier release, which plays it"):
        create_schema(engine)
    earlier.dispose()
    assert not is_prepared(engine)
    create_schema(engine)
    assert is_prepared(engine)
    engine.dispose()


@pytest.mark.parametrize("revisions", [[HEAD], ["0001", HEAD]], ids=["new", "migrated"])
def test_a_database_whose_preparation_is_interrupted_stays_as_it_was(
    place: str, revisions: list[str]
) -> None:
    *before, last = revisions
    engine = connect(place)
    for revision in before:
        create_schema(engine, revision)
    tables = inspect(engine).get_table_names()

    def interrupt(*call: object) -> None:
        if any("alembic_version" in str(part) and HEAD in str(part) for part in call[2:4]):
            raise KeyboardInterrupt

    event.listen(engine, "before_cursor_execute", interrupt)
    with pytest.raises(KeyboardInterrupt):
        create_schema(engine, last)
    event.remove(engine, "before_cursor_execute", interrupt)
    assert inspect(engine).get_table_names() == tables
    create_schema(engine, last)
    assert is_prepared(engine)
    engine.dispose()


def test_a_database_of_something_else_is_left_alone(place: str) -> None:
    engine = connect(place)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE shopping (item text)"))
    with pytest.raises(StoreError, match=r"is a database of something else \(it has shopping\)"):
        Store.open_all(place)
    assert inspect(engine).get_table_names() == ["shopping"]
    engine.dispose()


@pytest.mark.parametrize("revision", ["9999", "of another program"])
def test_a_store_of_a_later_release_is_refused(place: str, revision: str) -> None:
    engine = connect(place)
    create_schema(engine, "0001")
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO event VALUES (1, 'Cup', '{}')"))
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))
    # Also while that release plays it.
    for context in (nullcontext(), locked(engine, 1)):
        refused = pytest.raises(StoreError, match="was made by another release of Bridge Arena")
        with context, refused as caught:
            Store.open_all(place)
        assert len(str(caught.value).splitlines()) == 1
    engine.dispose()


def test_alembic_is_loaded_only_to_migrate(tmp_path: Path) -> None:
    """It is slow to load; told from the modules that a fresh process has."""
    program = (
        "import sys; from bridge_arena.tournaments.store.database import connect, create_schema; "
        f"create_schema(connect({str(tmp_path / 'results.sqlite')!r})); "
        "sys.exit('alembic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_file_is_written_ahead_and_checked(tmp_path: Path) -> None:
    engine = connect(tmp_path / "results.sqlite")
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
    engine.dispose()


def test_urls_are_told_from_paths() -> None:
    assert is_url("postgresql://x/y")
    assert is_url("sqlite:///x")
    assert not is_url("C:/x")
    assert not is_url("runs/2026")


def test_a_url_may_name_a_file(tmp_path: Path) -> None:
    path = tmp_path / "all.sqlite"
    engine = connect(f"sqlite:///{path}")
    create_schema(engine)
    engine.dispose()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]


def test_a_lost_connection_to_a_server_is_made_anew_without_a_word(
    postgresql: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    url = postgresql()
    engine, other = connect(url), connect(url)
    with engine.connect() as connection:
        pid = connection.scalar(text("SELECT pg_backend_pid()"))
    with other.connect() as connection:
        connection.execute(text(f"SELECT pg_terminate_backend({pid})"))
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT pg_backend_pid()")) != pid
    assert not caplog.records
    engine.dispose()
    other.dispose()


def test_the_lock_of_an_event_leaves_no_transaction_open(postgresql: Callable[[], str]) -> None:
    url = postgresql()
    engine, other = connect(url), connect(url)
    states = "SELECT state FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = "
    with locked(engine, 1), other.connect() as connection:
        assert is_locked(other, 1)
        own = connection.scalars(text(f"{states} current_database()")).all()
    assert "idle" in own
    assert "idle in transaction" not in own
    engine.dispose()
    other.dispose()
