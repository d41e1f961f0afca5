"""The store on disk of double-dummy answers, which all commands of a user share.

It is an SQLite file, so that any number of processes may use it at once, and one that is killed
leaves it whole. A row holds what is known of one deal's table, in 27 bytes: the deal, the 20
results, and a checksum of both, as the file may be damaged. Rows are in two tables: what is kept,
or found in the older table, goes to the newer one. When that has its share of the size, the older
table is dropped, and the newer one becomes the older. So what nobody has asked for in a long time
goes first.

Nothing here raises an error for a file that cannot be used: then answers are not found, or not
kept, and a warning says so once.

Each use opens the file anew, and the journal is SQLite's own and not a write-ahead log: that needs
memory shared by all users of the file, which folders of other machines do not have. So it would
gain little, as several answers are written at once.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from bridge_arena.base.files import cache_folder
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.double_dummy_table import PartialTable
from bridge_arena.oracle.errors import ImpossibleError

SIZE = 256 * 2**20
"""The most bytes of the shared store."""

NAME = "double-dummy.sqlite"

_BYTES = 48
"""The bytes reckoned for a row: 27, SQLite's own, and what is free in the pages (37 in all)."""

_PATIENCE = 10.0
"""The seconds to wait for another process that writes."""

_INTERVAL = 1.0
"""The seconds in which answers are collected before they are written."""

_FORMAT = 0x42414431
"""What SQLite calls the application's id, by which a file of this kind and version is known."""

_FIND = """
    SELECT tricks, 1 FROM newer WHERE deal = ?1
    UNION ALL SELECT tricks, 0 FROM older WHERE deal = ?1
"""

# A damaged file may give the messages of SQLite's errors what is no text.
_TROUBLE = (sqlite3.Error, OSError, UnicodeDecodeError)

_log = logging.getLogger(__name__)


class TableStore:
    """A store of what is known of double-dummy tables, safe to use from several threads.

    Its file is made when there is something to keep; without one it keeps nothing.
    """

    def __init__(self, path: Path | None, size: int = SIZE) -> None:
        self.path = path  # the file, or None
        self.size = size  # the most bytes of the file
        self._finds = self._keeps = path is not None
        # Guards what is below, and lets one thread at a time use the file.
        self._lock = threading.Lock()
        # What is to be written.
        self._fresh: dict[bytes, PartialTable] = {}
        self._written = time.monotonic()

    @property
    def files(self) -> list[Path]:
        """The file and its journal, whether they exist or not."""
        if self.path is None:
            return []
        return [self.path, self.path.with_name(f"{self.path.name}-journal")]

    def find(self, deals: Sequence[Deal]) -> list[PartialTable]:
        """Return what is known of the tables of deals, in the same order."""
        keys = [key_of(deal) for deal in deals]
        with self._lock:
            on_disk = self._read(keys)
            return [
                self._fresh.get(key, _NOTHING).joined(on_disk.get(key, _NOTHING)) for key in keys
            ]

    def keep(self, deal: Deal, table: PartialTable) -> None:
        """Add to what is known of a deal; it is written about once a second, or by `flush`."""
        with self._lock:
            if self._keeps:
                key = key_of(deal)
                self._fresh[key] = table.joined(self._fresh.get(key, _NOTHING))
                if time.monotonic() - self._written > _INTERVAL:
                    self._write()

    def flush(self) -> None:
        """Write what is not written yet."""
        with self._lock:
            self._write()

    def check(self) -> int:
        """Return the bytes of the file, which is made unless it exists.

        OSError, which names it, is raised if it cannot be made, read or written.
        """
        if self.path is None:
            return 0
        try:
            with self._lock, self._writing():
                pass
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise OSError(f"{self.path}: {error}") from None
        return self.path.stat().st_size

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, PartialTable]:
        """Return what the file has of these deals; what its older table has is to be written."""
        tables: dict[bytes, PartialTable] = {}
        if not self._finds or self.path is None:
            return tables
        try:
            if not self.path.exists():
                return tables
            with self._open(self.path) as file:
                # In one transaction, so that the file is locked once.
                file.execute("BEGIN")
                for key in keys if _is_made(file) else ():
                    for value, is_newer in file.execute(_FIND, (key,)):
                        table = _table_in(key, value)
                        if table is not None and key not in tables:
                            tables[key] = table
                            if not is_newer and self._keeps:
                                self._fresh.setdefault(key, table)
        except _TROUBLE as error:
            self._finds = False
            self._give_up("found", error)
        return tables

    def _write(self) -> None:
        if self._fresh:
            try:
                with self._writing() as file:
                    self._add(file, self._fresh)
            except _TROUBLE as error:
                self._give_up("kept", error)
            self._fresh = {}
        self._written = time.monotonic()

    def _add(self, file: sqlite3.Connection, tables: Mapping[bytes, PartialTable]) -> None:
        # SQLite keeps a number of the application's own in the header: the rows of the newer table.
        (count,) = file.execute("PRAGMA user_version").fetchone()
        for key, table in tables.items():
            is_there = False
            joined = table
            for value, is_newer in file.execute(_FIND, (key,)).fetchall():
                is_there = is_there or bool(is_newer)
                joined = joined.joined(_table_in(key, value) or _NOTHING)
            file.execute("REPLACE INTO newer VALUES (?, ?)", (key, _value_of(key, joined)))
            count += not is_there
            if count >= self.size // (2 * _BYTES):
                file.execute("DROP TABLE older")
                file.execute("ALTER TABLE newer RENAME TO older")
                _make(file, "newer")
                count = 0
        file.execute(f"PRAGMA user_version = {count}")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Yield the file in a transaction, which another process waits for."""
        assert self.path is not None
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path.touch(mode=0o600)  # it has the hands of boards that are being played
        with self._open(self.path) as file:
            file.execute("BEGIN IMMEDIATE")
            if not _is_made(file):
                _make(file, "newer")
                _make(file, "older")
                file.execute(f"PRAGMA application_id = {_FORMAT}")
            yield file
            file.execute("COMMIT")

    @contextmanager
    def _open(self, path: Path) -> Iterator[sqlite3.Connection]:
        # Without an isolation level, transactions begin and end as they are written here.
        file = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
        try:
            # Somebody else may have made the file.
            file.execute("PRAGMA trusted_schema = OFF")
            file.execute("PRAGMA cell_size_check = ON")
            yield file
        finally:
            file.close()

    def _give_up(self, what: str, error: Exception) -> None:
        """Keep nothing any more, and say so unless something has been said before."""
        if self._keeps:
            _log.warning("double-dummy answers are not %s in %s: %s", what, self.path, error)
        self._keeps = False
        self._fresh = {}


def shared_store() -> TableStore:
    """Return the store that all commands of the user share.

    It is in the folder of `base.files.cache_folder`; without such a folder it keeps nothing.
    """
    folder = cache_folder()
    return _store_at(None if folder is None else folder / NAME)


@cache
def _store_at(path: Path | None) -> TableStore:
    """Return the one store of a file in this process, so that a warning is given once."""
    return TableStore(path)


def key_of(deal: Deal) -> bytes:
    """Return a deal in 13 bytes: two bits for each card, which tell its seat."""
    _, east, south, west = (deal[seat].mask for seat in Seat)
    return (east | west | (south | west) << 52).to_bytes(13, "little")


_NOTHING = PartialTable()


def _is_made(file: sqlite3.Connection) -> bool:
    """Return whether a file has its tables, or is empty; sqlite3.Error where it is another's."""
    (format_id,) = file.execute("PRAGMA application_id").fetchone()
    if format_id == _FORMAT:
        return True
    if file.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
        return False
    raise sqlite3.DatabaseError("it is another program's, or another version's")


def _make(file: sqlite3.Connection, table: str) -> None:
    file.execute(
        f"CREATE TABLE {table} (deal BLOB PRIMARY KEY, tricks BLOB NOT NULL) WITHOUT ROWID"
    )


def _value_of(key: bytes, table: PartialTable) -> bytes:
    results = bytes.fromhex(table.digits)
    return results + zlib.crc32(key + results).to_bytes(4, "little")


def _table_in(key: bytes, value: object) -> PartialTable | None:
    """Return the table of a row, or None if the row is damaged."""
    if not isinstance(value, bytes) or len(value) != 14:
        return None
    results, checksum = value[:10], value[10:]
    if zlib.crc32(key + results).to_bytes(4, "little") != checksum:
        return None
    try:
        return PartialTable(results.hex())
    except ImpossibleError:
        return None
