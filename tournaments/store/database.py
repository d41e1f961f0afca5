"""Databases: SQLite files and PostgreSQL servers, and the migrations of their schema."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from getpass import getuser
from importlib import resources
from pathlib import Path

from sqlalchemy import URL, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import (
    ArgumentError,
    IntegrityError,
    InvalidatePoolError,
    NoSuchModuleError,
    SQLAlchemyError,
)
from sqlalchemy.orm import Session

from bridge_arena.base.files import held, is_held
from bridge_arena.base.foreign_sqlite import guard
from bridge_arena.base.masking import without_password
from bridge_arena.tournaments.store.models import Base

HEAD = "0019"
"""The revision of the schema that this release writes."""

_REVISIONS = "alembic_version"

_MARKED = f"""CREATE TABLE {_REVISIONS} (
    version_num VARCHAR(32) NOT NULL, CONSTRAINT {_REVISIONS}_pkc PRIMARY KEY (version_num)
)"""
"""Makes the table by which Alembic tells the revision of the schema, as Alembic makes it."""

_PATIENCE = 30.0
"""The most seconds for which another process is waited for that begins with the same file."""

_LOCK = 0x42524447 << 31
"""PostgreSQL's advisory lock of the schema; the lock of an event is this plus the event's id."""


class StoreError(Exception):
    """The store cannot be read or written; the message is one line."""


class TakenError(StoreError):
    """A row of that key exists already."""


def is_url(source: str) -> bool:
    """Return whether a store is named by the URL of a database rather than by a path."""
    return "://" in source


def connect(source: str | Path, *, has_log: bool = True) -> Engine:
    """Return the engine of a database. Raises StoreError and ModuleNotFoundError.

    Without a log, which an SQLite file has beside it, nobody else may use the file meanwhile.
    """
    try:
        url = _url(source)
        is_file = url.get_backend_name() == "sqlite"
        # Connections to a server are tested before they are used again. Without a password, pg8000
        # breaks where the server asks for one.
        arguments = {} if is_file else {"password": url.password or ""}
        engine = create_engine(url, connect_args=arguments)
        # It would print a traceback of each connection that cannot be closed, as it is lost.
        logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    except ModuleNotFoundError as error:
        if error.name == "pg8000":
            raise  # the driver comes with an extra
        raise StoreError(f"the database's driver {error.name} is not installed") from None
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        why = without_password(reason(error))
        raise StoreError(f"{without_password(str(source))} is no database's URL: {why}") from None
    if is_file:
        guard(engine)
        event.listen(engine, "connect", _configure if has_log else _configure_alone)
    else:
        event.listen(engine, "checkout", partial(_ask, engine))
    return engine


def create_schema(engine: Engine, revision: str = HEAD) -> None:
    """Create the tables in an empty database, or upgrade those of an older release.

    Raises StoreError.
    """
    try:
        with engine.begin() as connection:
            # A second process waits here, and then finds the tables made. In SQLite the transaction
            # begins here, as each table would be made by one of its own.
            is_postgresql = engine.dialect.name == "postgresql"
            lock = f"SELECT pg_advisory_xact_lock({_LOCK})" if is_postgresql else "BEGIN IMMEDIATE"
            connection.execute(text(lock))
            tables = sorted(inspect(connection).get_table_names())
            if tables and _REVISIONS not in tables:
                raise StoreError(
                    f"{name(engine)} is a database of something else (it has {tables[0]})"
                )
            if tables or revision != HEAD:
                if tables:
                    _check_unplayed(connection)
                _migrate(connection, revision)
            else:
                Base.metadata.create_all(connection)
                connection.execute(text(_MARKED))
                connection.execute(text(f"INSERT INTO {_REVISIONS} VALUES ('{HEAD}')"))
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(f"cannot prepare {name(engine)}: {reason(error)}") from None


def _check_unplayed(connection: Connection) -> None:
    """Check that no earlier release, to which other tables would be strange, plays it.

    Raises StoreError.
    """
    if (connection.scalar(text(f"SELECT version_num FROM {_REVISIONS}")) or "") >= HEAD:
        return  # another process has upgraded it in the meantime, or it is of a later release
    keys = [*connection.scalars(text("SELECT id FROM event"))]
    if inspect(connection).has_table("ladder"):
        keys += connection.scalars(text("SELECT -id FROM ladder"))
    if any(is_locked(connection.engine, key) for key in keys):
        raise StoreError(
            f"{name(connection.engine)} is of an earlier release, which plays it: wait until that "
            "ends"
        )


def _migrate(connection: Connection, revision: str) -> None:
    """Upgrade a database by the migrations. Raises StoreError for one of a later release."""
    # Alembic is slow to load, and neither a new store nor one that is up to date needs it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    with resources.as_file(
        resources.files("bridge_arena.tournaments.store") / "migrations"
    ) as scripts:
        config = Config()
        config.set_main_option("script_location", str(scripts).replace("%", "%%"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError as error:
            raise StoreError(
                f"{name(connection.engine)} was made by another release of Bridge Arena: "
                f"{reason(error)}"
            ) from None


def is_prepared(engine: Engine) -> bool:
    """Return whether the database has the tables of this release. Raises StoreError."""
    try:
        with engine.connect() as connection:
            if not inspect(connection).has_table(_REVISIONS):
                return False
            revision = connection.scalar(text(f"SELECT version_num FROM {_REVISIONS}"))
            return bool(revision == HEAD)
    except SQLAlchemyError as error:
        raise StoreError(f"cannot read {name(engine)}: {reason(error)}") from None


def is_empty(engine: Engine) -> bool:
    """Return whether the database has no tables. Raises StoreError."""
    try:
        return not inspect(engine).get_table_names()
    except SQLAlchemyError as error:
        raise StoreError(f"cannot read {name(engine)}: {reason(error)}") from None


@contextmanager
def transaction(engine: Engine, doing: str) -> Iterator[Session]:
    """Run one transaction. Raises StoreError, also for stored values that cannot be read."""
    with _translated_errors(engine, doing), Session(engine) as session, session.begin():
        yield session


@contextmanager
def statements(engine: Engine, doing: str) -> Iterator[Connection]:
    """Run one transaction without SQLAlchemy's mapping to objects, which takes as long again.

    Raises StoreError.
    """
    with _translated_errors(engine, doing), engine.begin() as connection:
        yield connection


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """Read in the context what a database has at its beginning, whatever is written meanwhile.

    Raises StoreError.
    """
    with _translated_errors(engine, "read"), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        else:
            # Otherwise each statement reads what is there by then.
            connection.execute(text("BEGIN"))
        yield connection


def damage(engine: Engine) -> str | None:
    """Return what is wrong with an SQLite file; None if it is whole."""
    try:
        with engine.connect() as connection:
            first = str(connection.scalar(text("PRAGMA quick_check(1)")))
    except SQLAlchemyError as error:
        return reason(error)
    return None if first == "ok" else first.splitlines()[-1]


@contextmanager
def _translated_errors(engine: Engine, doing: str) -> Iterator[None]:
    try:
        yield
    # A driver may raise the network's error as it is.
    except (SQLAlchemyError, OSError, ValueError) as error:
        is_taken = isinstance(error, IntegrityError) and "unique" in reason(error).lower()
        kind = TakenError if is_taken else StoreError
        raise kind(f"cannot {doing} {name(engine)}: {reason(error)}") from None


@contextmanager
def locked(engine: Engine, event: int) -> Iterator[Callable[[], None]]:
    """Lock an event of a database, so that no other process plays it.

    Yields what takes the lock again if a server has lost it, as it does when it restarts. Both
    raise StoreError, or OSError for an SQLite file.
    """
    if engine.dialect.name != "postgresql":
        with held(_lock_file(engine, event), f"the event in {name(engine)}"):
            yield lambda: None
        return

    def lock() -> None:
        if not connection.scalar(text(f"SELECT pg_try_advisory_lock({_LOCK + event})")):
            raise StoreError(f"the event in {name(engine)} is being played by another process")

    def lock_again() -> None:
        with _translated_errors(engine, "lock"):
            try:
                connection.execute(text("SELECT 1"))
            except (SQLAlchemyError, OSError):
                # The next statement connects anew.
                connection.invalidate()
                connection.rollback()
                lock()

    with engine.connect() as connection:
        # Otherwise a transaction would be open for as long as the event is played.
        connection.execution_options(isolation_level="AUTOCOMMIT")
        lock()
        try:
            yield lock_again
        finally:
            # The connection, which goes back to the pool, would keep it; a lost one has lost it.
            with suppress(SQLAlchemyError, OSError):
                connection.execute(text(f"SELECT pg_advisory_unlock({_LOCK + event})"))


def is_locked(engine: Engine, event: int) -> bool:
    """Return whether a process plays an event of a database.

    Raises StoreError, or OSError for an SQLite file.
    """
    if engine.dialect.name != "postgresql":
        return is_held(_lock_file(engine, event))
    # PostgreSQL has the halves of the number in two columns.
    query = (
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
        f"AND (classid::bigint << 32) + objid::bigint = {_LOCK + event}"
    )
    try:
        with engine.connect() as connection:
            return bool(connection.scalar(text(query)))
    except SQLAlchemyError as error:
        raise StoreError(f"cannot read {name(engine)}: {reason(error)}") from None


def _lock_file(engine: Engine, event: int) -> Path:
    path = Path(name(engine))
    return path.with_name(f".{path.name}.{event}.lock")


def name(engine: Engine) -> str:
    """Return the name of the database for messages, without a password."""
    if engine.dialect.name == "sqlite":
        return str(engine.url.database)
    return engine.url.render_as_string(hide_password=True)


def reason(error: Exception) -> str:
    """Return the database's own message, without the statement."""
    original = getattr(error, "orig", None) or error
    # pg8000 gives the server's message among the fields of its protocol.
    fields = original.args[0] if original.args else None
    words = str(fields.get("M", original) if isinstance(fields, dict) else original)
    return words.splitlines()[0] if words else type(original).__name__


def _url(source: str | Path) -> URL:
    if isinstance(source, Path) or not is_url(source):
        # Not from the text of a URL, in which characters of a path may have another meaning.
        return URL.create("sqlite", database=str(source))
    url = make_url(source)
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+pg8000", username=url.username or getuser())
    return url


def _configure(connection: sqlite3.Connection, _record: object) -> None:
    # With a write-ahead log a transaction costs one write, and readers never wait.
    _begin_log(connection)
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _ask(engine: Engine, connection: DBAPIConnection, *_: object) -> None:
    """Have all connections made anew if one was lost.

    SQLAlchemy's own `pool_pre_ping` does not expect the network's errors, which the driver raises.
    """
    try:
        engine.dialect.do_ping(connection)
        connection.rollback()  # asking has begun a transaction
    except (engine.dialect.loaded_dbapi.Error, OSError) as error:
        raise InvalidatePoolError from error


def _configure_alone(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA journal_mode=MEMORY")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_log(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log; wait while another process does so, as SQLite does not."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return
