"""Backups of a ladder: all that its database has of it, in one file, copied while it is played.

A backup is a store of that ladder alone, with one table more. Row by row, so that the ladder of an
SQLite file can be restored on a PostgreSQL server, and the other way round.

The events of matches in play stay behind. The ladder deals these matches anew: whoever restores it
does so later, when the deals of these matches may be public.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Column, LargeBinary, MetaData, String, Table, func, inspect, select
from sqlalchemy.engine import Connection, Engine

from bridge_arena.tournaments.ladder.ladder_file import match_name
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

_BACKUP = Table(
    "backup",
    MetaData(),
    Column("made", String, nullable=False),
    Column("tokens", LargeBinary),
)
"""What a backup has beside a ladder's rows: when it was made, in ISO 8601, and the file of tokens."""

_LADDERS, _MATCHES, _EVENTS = (
    Base.metadata.tables[table] for table in ("ladder", "ladder_match", "event")
)

_OF_LADDER, _OF_EVENT = (
    [table for table in Base.metadata.sorted_tables if key in table.columns]
    for key in ("ladder", "event")
)
"""The tables whose rows belong to a ladder, and those of its matches, referred ones first."""

_AT_ONCE = 100
"""The matches that are copied at once."""

Count = Callable[[Iterable[list[int]], int], Iterable[list[int]]]
"""Passes parts of the matches on, which are so many in all, and shows how far the work is."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup is of."""

    ladder: str  # the name of the ladder
    made: datetime  # when it was made
    matches: int  # the matches that were over
    in_play: int  # those that were in play, and are to be dealt anew
    tokens: bytes | None  # the file of tokens; None if there was none


def is_backup(file: Path) -> bool:
    """Return whether a file is a backup. Raises StoreError if it is a damaged one."""
    with _opened(file) as engine:
        return inspect(engine).has_table(_BACKUP.name)


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


def restore(file: Path, working: Path, place: str | Path, count: Count) -> Backup:
    """Restore a ladder to an SQLite file or a database, wholly or not at all. Raises StoreError.

    Args:
        file: The backup.
        working: Where it is copied to for the meantime, as one of an earlier release is upgraded.
        place: An empty file, or the URL of a database that has no ladder of that name.
        count: Shows how far the work is.
    """
    shutil.copyfile(file, working)
    with _opened(working, file) as source, _opened(place) as target:
        _check(source, file)
        if not is_prepared(target):
            create_schema(target)
        with snapshot(source) as rows, statements(target, "write") as to:
            row = rows.execute(select(_BACKUP)).one()
            (ladder,) = rows.execute(select(_LADDERS.c.id, _LADDERS.c.name))
            if to.scalar(select(_LADDERS.c.id).where(_LADDERS.c.name == ladder.name)) is not None:
                raise StoreError(f"{name(target)} has a ladder {ladder.name!r} already")
            over, in_play = _copy(rows, ladder.id, to, count)
    return Backup(ladder.name, datetime.fromisoformat(row.made), over, in_play, row.tokens)


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


def _copy(source: Connection, ladder: int, target: Connection, count: Count) -> tuple[int, int]:
    """Copy the rows of a ladder, under other ids; return the matches that are over and in play."""
    row = source.execute(select(_LADDERS).where(_LADDERS.c.id == ladder)).mappings().one()
    target.execute(_LADDERS.insert(), {key: row[key] for key in row if key != "id"})
    new = target.scalar(select(_LADDERS.c.id).where(_LADDERS.c.name == row["name"]))
    for table in _OF_LADDER:
        rows = source.execute(select(table).where(table.c.ladder == ladder)).mappings()
        for part in rows.partitions(_AT_ONCE**2):
            target.execute(table.insert(), [{**each, "ladder": new} for each in part])
    matches = select(_MATCHES.c.number).where(_MATCHES.c.ladder == ladder)
    over = [*source.scalars(matches.where(_MATCHES.c.is_over).order_by(_MATCHES.c.number))]
    parts = (over[first : first + _AT_ONCE] for first in range(0, len(over), _AT_ONCE))
    for part in count(parts, len(over)):
        _copy_events(source, [match_name(row["name"], number) for number in part], target)
    drawn = source.scalar(select(func.count()).select_from(matches.subquery()))
    return len(over), (drawn or 0) - len(over)


def _copy_events(source: Connection, names: list[str], target: Connection) -> None:
    of_name = _EVENTS.c.name.in_(names)
    events = source.execute(select(_EVENTS).where(of_name)).mappings().all()
    target.execute(
        _EVENTS.insert(), [{key: row[key] for key in row if key != "id"} for row in events]
    )
    new = dict(target.execute(select(_EVENTS.c.name, _EVENTS.c.id).where(of_name)).tuples())
    ids = {row["id"]: new[row["name"]] for row in events}
    for table in _OF_EVENT:
        rows = source.execute(select(table).where(table.c.event.in_(ids))).mappings().all()
        if rows:
            target.execute(table.insert(), [{**row, "event": ids[row["event"]]} for row in rows])
