"""The PBN files of a ladder: one for each week, which has the matches that ended in it.

A match is written behind those before it, and then counted in one transaction with the new size of
the file. What a file has beyond its size in the store is left of a match that was not counted: it
is cut off before anything else is written. A file that lacks something is written anew.

The first match of a week finds a new file, with the matches of that week that have none: they ended
under a release without these files. Of a week that the store does not know, a file that is there is
left as it is, and is kept under another name when it is in the way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path

from sqlalchemy import select

from bridge_arena.base.files import replacing
from bridge_arena.pbn.write.writer import HEADER
from bridge_arena.tournaments.ladder.ladder_file import match_name
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.rows import note_pbn_size
from bridge_arena.tournaments.ladder.strength.weeks import week_of
from bridge_arena.tournaments.schedule.event_files import SEVERAL
from bridge_arena.tournaments.store import Store, StoreError
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import EventRow, LadderMatchRow, LadderPbnRow

FOLDER = "pbn"
"""The folder of the files in that of the ladder."""

_WEEK = re.compile("[0-9]{4}-W[0-9]{2}")


class WeekFiles:
    """The PBN files of a ladder; methods raise StoreError and OSError.

    Args:
        store: The store of the ladder.
        folder: The folder of the ladder.
    """

    def __init__(self, store: LadderStore, folder: Path) -> None:
        self._engine, self._ladder = store.place
        self._name = store.definition().name
        self._folder = folder / FOLDER

    def mend(self) -> None:
        """Cut off what was not counted, and write the last week's file anew if it lacks something.

        An earlier one may have been moved away.
        """
        sizes = self._sizes()
        if self._folder.exists():
            for path in self._folder.iterdir():
                if path.stem in sizes and path == self._path(path.stem):
                    self._cut(path, sizes[path.stem])
                elif path.suffix == ".pbn" and _WEEK.fullmatch(path.stem):  # not of this store
                    self._check(path)
        if sizes and (last := max(sizes)) and self._size(last) < sizes[last]:
            self.write(last)

    def append(self, time: str, store: Store) -> tuple[str, int]:
        """Write a match behind the others of the week of a time, in ISO 8601.

        Returns:
            The week, and the new size of its file, which are to be counted with the match.
        """
        week = week_of(time)
        path, size = self._path(week), self._sizes().get(week)
        if size is None:
            if path.exists():
                self._set_aside(path)
            self._note(week, 0)  # what is there from now on has no worth until it is counted
        if not size or self._size(week) < size:
            self.write(week)
            size = self._sizes()[week]
        with path.open("r+b") as file:
            file.truncate(size)
            file.seek(size)
            file.writelines(_of_match(store))
            file.flush()
            os.fsync(file.fileno())
            return week, file.tell()

    def write(
        self, week: str, counted: Callable[[list[int]], Iterable[int]] = lambda numbers: numbers
    ) -> None:
        """Write the file of a week anew from the store; `counted` passes on matches' numbers."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (
            replacing(self._path(week), is_private=True) as unfinished,
            unfinished.open("wb") as file,
        ):
            file.writelines(self._beginning(week))
            for number in counted(self._matches_of(week)):
                file.writelines(_of_match(self._match(number)))
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        self._note(week, size)

    def weeks(self) -> list[str]:
        """Return the weeks in which matches ended, in order."""
        return sorted({*self._sizes(), *self._weeks().values()})

    def _path(self, week: str) -> Path:
        if not _WEEK.fullmatch(week):  # a store that somebody forged may lead anywhere
            raise StoreError(f"the ladder has matches of {week!r}, which is no week as 2026-W09")
        return self._folder / f"{week}.pbn"

    def _size(self, week: str) -> int:
        path = self._path(week)
        return path.stat().st_size if path.exists() else 0

    def _sizes(self) -> dict[str, int]:
        rows = select(LadderPbnRow.week, LadderPbnRow.size)
        with transaction(self._engine, "read") as session:
            own = session.execute(rows.where(LadderPbnRow.ladder == self._ladder))
            return {row.week: row.size for row in own}

    def _note(self, week: str, size: int) -> None:
        with transaction(self._engine, "write") as session:
            note_pbn_size(session, self._ladder, week, size)

    def _cut(self, path: Path, size: int) -> None:
        """Cut off what a file has beyond its size, unless it is of another ladder."""
        if path.stat().st_size > size:
            self._check(path)
            os.truncate(path, size)

    def _set_aside(self, path: Path) -> None:
        """Give a file a name that no other has, unless it is of another ladder."""
        self._check(path)
        names = (f"{path.name}.uncounted{number or ''}" for number in count())
        path.rename(next(new for new in map(path.with_name, names) if not new.exists()))

    def _check(self, path: Path) -> None:
        """Check that a file is of this ladder. Raises OSError."""
        (beginning,) = self._beginning(path.stem)
        with path.open("rb") as file:
            known = file.read(len(beginning))
        if known != beginning[: len(known)]:
            raise OSError(f"{path} is of another ladder: give this one another folder")

    def _beginning(self, week: str) -> Iterator[bytes]:
        yield f"{HEADER}{SEVERAL}{self._name}, {week}\r\n".encode("latin-1", "replace")

    def _matches_of(self, week: str) -> list[int]:
        """Return the numbers of the matches that ended in a week, in the order of their ends."""
        return [number for number, ended_in in self._weeks().items() if ended_in == week]

    def _weeks(self) -> dict[int, str]:
        """Return the weeks in which matches ended by their numbers, in the order of their ends."""
        columns = select(LadderMatchRow.number, LadderMatchRow.ended)
        over = columns.where(LadderMatchRow.ladder == self._ladder, LadderMatchRow.is_over)
        with transaction(self._engine, "read") as session:
            rows = session.execute(over.order_by(LadderMatchRow.ended, LadderMatchRow.number))
            return {number: week_of(ended) for number, ended in rows if ended}

    def _match(self, number: int) -> Store:
        own = select(EventRow.id).where(EventRow.name == match_name(self._name, number))
        with transaction(self._engine, "read") as session:
            return Store(self._engine, session.scalars(own).one())


def _of_match(store: Store) -> Iterable[bytes]:
    """Yield the parts of the text of a match."""
    records = 0
    for records, part in enumerate(store.pbn()):  # noqa: B007 (the header is the first part)
        yield part.removeprefix(HEADER).encode("latin-1", "replace")
    if not records:
        yield b"\r\n"  # the header of the next match would be read as more of this one
