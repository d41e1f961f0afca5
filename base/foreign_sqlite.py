"""SQLite files that a stranger may have made.

Whoever makes a file chooses what its tables are. A view, or a column that is computed, may take for
ever to read; and while SQLite computes, Python sees no signal.
"""

from __future__ import annotations

import sqlite3

from sqlalchemy import event
from sqlalchemy.engine import Engine, ExceptionContext

_LONGEST = 64 * 2**20
"""The most bytes of a value or a row."""

_STEPS = 100_000
"""The steps of SQLite's machine, some milliseconds, after which signals are looked for."""

_OTHER_THAN_TABLES = """
    SELECT name FROM sqlite_master WHERE sql NOT LIKE 'CREATE TABLE %'
    AND sql NOT LIKE 'CREATE INDEX %' AND sql NOT LIKE 'CREATE UNIQUE INDEX %'
    UNION ALL
    SELECT it.name FROM sqlite_master AS it, pragma_table_xinfo(it.name) AS field
    WHERE field.hidden
"""
"""By the text, as that is what SQLite makes of it."""


def guard(engine: Engine) -> None:
    """Have the connections to an SQLite file refuse what is no plain table, and let signals in.

    Connecting then raises DatabaseError for a file that has something else, and what takes long
    raises KeyboardInterrupt as soon as a handler of a signal does.
    """
    event.listen(engine, "connect", _check)
    event.listen(engine, "handle_error", _raise_interruption)


def _check(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    connection.set_progress_handler(_let_signals_in, _STEPS)
    for (name,) in connection.execute(_OTHER_THAN_TABLES):
        raise sqlite3.DatabaseError(f"{name!r} in it is no plain table")


def _let_signals_in() -> None:
    # Python calls the handlers of signals here; if one raises an exception, SQLite stops.
    return


def _raise_interruption(context: ExceptionContext) -> None:
    code = getattr(context.original_exception, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_INTERRUPT:
        raise KeyboardInterrupt
