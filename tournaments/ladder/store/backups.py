"""Backups of a ladder: all that its database has of it, in one file, copied while it is played.

A backup is a store of that ladder alone, with one table more. Row by row, so that the ladder of an
SQLite file can be restored on a PostgreSQL server, and the other way round.

The events of matches in play stay behind. The ladder deals these matches anew: whoever restores it
does so later, when the deals of these matches may be public.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path

from sqlalchemy import Column, LargeBinary, MetaData, String, Table, inspect, select, update
from sqlalchemy.engine import Connection, Engine

from bridge_arena.tournaments.ladder.ladder_file import match_name
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.week_files import WeekFiles
from bridge_arena.tournaments.store import StoreError
from bridge_arena.tournaments.store.database import (
    connect,
    create_schema,
    damage,
    is_empty,
    is_prepared,
    name,
    snapshot,
    statements,
)
from bridge_arena.tournaments.store.models import Base

UNFINISHED = ".restoring"
"""The copy of a backup in the folder of a ladder while that is restored: nothing else there counts
before it is gone."""

_BACKUP = Table(
    "backup",
    MetaData(),
    Column("made", String, nullable=False),
    Column("tokens", LargeBinary),
)
"""The table more: when the backup was made, in ISO 8601, and the file of tokens."""

_LADDERS, _MATCHES, _EVENTS = (
    Base.metadata.tables[table] for table in ("ladder", "ladder_match", "event")
)

_OF_LADDER, _OF_EVENT = (
    [table for table in Base.metadata.sorted_tables if key in table.columns]
    for key in ("ladder", "event")
)
"""The tables whose rows belong to a ladder, and those of its matches, referred ones first."""

_IDS = select(_EVENTS.c.name, _EVENTS.c.id)

_ROWS, _MATCHES_AT_ONCE = 10_000, 100
"""The rows of a ladder, and the matches, that are copied at once."""

Count = Callable[[Iterable[int], int, str], Iterable[int]]
"""Passes the numbers of matches on, which are so many in all, and shows how far the work is."""


class Backup:
    """A backup that is read; every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        with snapshot(engine) as rows:
            row = rows.execute(select(_BACKUP)).one()
            (self._ladder,) = rows.execute(select(_LADDERS.c.id, _LADDERS.c.name))
            over = select(_MATCHES.c.number, _MATCHES.c.is_over).order_by(_MATCHES.c.number)
            matches = {row.number: row.is_over for row in rows.execute(over)}
        self.ladder: str = self._ladder.name
        self.made = datetime.fromisoformat(row.made)
        # The file of tokens; None if there was none.
        self.tokens: bytes | None = row.tokens
        self.over = [number for number in matches if matches[number]]
        # The number of matches that were in play.
        self.in_play = len(matches) - len(self.over)

    @classmethod
    @contextmanager
    def open(cls, file: Path, working: Path) -> Iterator[Backup]:
        """Open a backup in the context.

        Args:
            file: The backup.
            working: Where it is copied to meanwhile, as one of an earlier release is upgraded.
        """
        if file.exists() and not file.is_file():
            raise StoreError(f"{file} is no backup of a ladder, which is a regular file")
        shutil.copyfile(file, working)
        with _opened(working, file) as engine:
            _check(engine, file)
            yield cls(engine)

    def write_boards(self, folder: Path, count: Count) -> None:
        """Write the PBN files of all weeks to the folder of the ladder. Raises OSError."""

        def counted(numbers: list[int], week: str) -> Iterable[int]:
            return count(numbers, len(numbers), week)

        files = WeekFiles(LadderStore(self._engine, self._ladder.id), folder)
        for week in files.weeks():
            files.write(week, partial(counted, week=week))

    def restore(self, place: str | Path, count: Count) -> None:
        """Copy the ladder to a database, wholly or not at all.

        Args:
            place: An empty file, or the URL of a database that has no ladder of that name.
            count: Shows how far the work is.
        """
        with _opened(place) as target:
            if not is_prepared(target):
                create_schema(target)
            of_name = select(_LADDERS.c.id).where(_LADDERS.c.name == self.ladder)
            with snapshot(self._engine) as rows, statements(target, "write") as to:
                if to.scalar(of_name) is not None:
                    raise StoreError(f"{name(target)} has a ladder {self.ladder!r} already")
                _copy(rows, self._ladder.id, to, count)
                # What was copied knows only of the backups before this one.
                made = {"backed_up": self.made.isoformat(timespec="seconds")}
                to.execute(update(_LADDERS).where(_LADDERS.c.name == self.ladder), made)


def is_backup(file: Path) -> bool:
    """Return whether a file is a backup; it may be a store that is in use."""
    of_name = "SELECT count(*) FROM sqlite_master WHERE name = ?"
    address = f"{file.resolve().as_uri()}?immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            return bool(database.execute(of_name, (_BACKUP.name,)).fetchone()[0])
    except sqlite3.DatabaseError:  # which cannot be opened either if it is no regular file
        return False


def back_up(
    source: tuple[Engine, int], file: Path, made: datetime, tokens: bytes | None, count: Count
) -> None:
    """Write the backup of a ladder to an empty file. Raises StoreError.

    Args:
        source: The database, and the ladder's id there.
        file: The file.
        made: The present time.
        tokens: The file of tokens; None if there is none.
        count: Shows how far the work is.
    """
    with _opened(file) as engine:
        create_schema(engine)
        with snapshot(source[0]) as rows, statements(engine, "write") as target:
            _copy(rows, source[1], target, count)
            _BACKUP.create(target)
            target.execute(_BACKUP.insert(), {"made": made.isoformat(), "tokens": tokens})


@contextmanager
def _opened(place: str | Path, known_as: Path | None = None) -> Iterator[Engine]:
    """Open a database in the context, a file without a log beside it."""
    engine = connect(place, has_log=False)
    try:
        if isinstance(place, Path) and (wrong := damage(engine)) is not None:
            raise StoreError(f"{known_as or place} is no backup of a ladder, or damaged: {wrong}")
        yield engine
    finally:
        engine.dispose()


def _check(engine: Engine, file: Path) -> None:
    """Check that a backup is one, and bring it up to date. Raises StoreError."""
    if is_empty(engine) or not inspect(engine).has_table(_BACKUP.name):
        raise StoreError(f"{file} is no backup of a ladder")
    if not is_prepared(engine):
        try:
            create_schema(engine)
        except StoreError:
            raise StoreError(f"{file} was made by a later release of Bridge Arena") from None


def _copy(source: Connection, ladder: int, target: Connection, count: Count) -> None:
    """Copy the rows of a ladder, under other ids."""
    row = source.execute(select(_LADDERS).where(_LADDERS.c.id == ladder)).mappings().one()
    target.execute(_LADDERS.insert(), {key: row[key] for key in row if key != "id"})
    new = target.scalar(select(_LADDERS.c.id).where(_LADDERS.c.name == row["name"]))
    for table in _OF_LADDER:
        rows = source.execute(select(table).where(table.c.ladder == ladder)).mappings()
        for chunk in rows.partitions(_ROWS):
            target.execute(table.insert(), [{**copied, "ladder": new} for copied in chunk])
    numbers = select(_MATCHES.c.number).where(_MATCHES.c.ladder == ladder, _MATCHES.c.is_over)
    over = [*source.scalars(numbers.order_by(_MATCHES.c.number))]
    part: list[str] = []
    for number in count(over, len(over), "rows"):
        part.append(match_name(row["name"], number))
        if len(part) == _MATCHES_AT_ONCE or number == over[-1]:
            _copy_events(source, part, target)
            part = []


def _copy_events(source: Connection, names: list[str], target: Connection) -> None:
    of_names = _EVENTS.c.name.in_(names)
    events = source.execute(select(_EVENTS).where(of_names)).mappings().all()
    target.execute(
        _EVENTS.insert(), [{key: row[key] for key in row if key != "id"} for row in events]
    )
    new = {row.name: row.id for row in target.execute(_IDS.where(of_names))}
    ids = {row["id"]: new[row["name"]] for row in events}
    for table in _OF_EVENT:
        rows = source.execute(select(table).where(table.c.event.in_(ids))).mappings().all()
        if rows:
            target.execute(table.insert(), [{**row, "event": ids[row["event"]]} for row in rows])
