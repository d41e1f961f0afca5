"""The PBN files of a ladder: one for each week, which has the matches that ended in it.

A match is written behind those before it, and then counted in one transaction with the new size of
the file. What a file has beyond its size in the store is left of a match that was not counted: it
is cut off before anything else is written. A file that lacks something is written anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sqlalchemy import select

from bridge_arena.base.files import replacing
from bridge_arena.pbn.write.writer import HEADER
from bridge_arena.tournaments.ladder.ladder_file import match_name
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.rows import note_pbn_size
from bridge_arena.tournaments.ladder.strength.weeks import week_of
from bridge_arena.tournaments.schedule.event_files import SEVERAL
from bridge_arena.tournaments.store import Store
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import EventRow, LadderMatchRow, LadderPbnRow

FOLDER = "pbn"
"""The folder of the files in that of the ladder."""

_NAME = re.compile(r"\d{4}-W\d\d\.pbn")


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
                if _NAME.fullmatch(path.name):
                    self._cut(path, sizes.get(path.stem, 0))
        if sizes and (last := max(sizes)) and self._size(last) < sizes[last]:
            self.write(last)

    def append(self, time: str, store: Store) -> tuple[str, int]:
        """Write a match behind the others of the week of a time, in ISO 8601.

        Returns:
            The week, and the new size of its file, which are to be counted with the match.
        """
        week = week_of(time)
        size = self._sizes().get(week, 0)
        if self._size(week) < size:
            self.write(week)
            size = self._sizes()[week]
        path = self._path(week)
        self._folder.mkdir(exist_ok=True)
        path.touch(mode=0o600)
        with path.open("r+b") as file:
            file.truncate(size)
            file.seek(size)
            file.writelines(self._beginning(week) if not size else ())
            file.writelines(_of_match(store))
            file.flush()
            os.fsync(file.fileno())
            return week, file.tell()

    def write(
        self, week: str, count: Callable[[list[int]], Iterable[int]] = lambda numbers: numbers
    ) -> None:
        """Write the file of a week anew from the store; `count` passes on the matches' numbers."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (
            replacing(self._path(week), is_private=True) as unfinished,
            unfinished.open("wb") as file,
        ):
            file.writelines(self._beginning(week))
            for number in count(self._matches_of(week)):
                file.writelines(_of_match(self._match(number)))
            size = file.tell()
        with transaction(self._engine, "write") as session:
            note_pbn_size(session, self._ladder, week, size)

    def weeks(self) -> list[str]:
        """Return the weeks in which matches ended, in order."""
        return sorted(self._sizes())

    def _path(self, week: str) -> Path:
        return self._folder / f"{week}.pbn"

    def _size(self, week: str) -> int:
        path = self._path(week)
        return path.stat().st_size if path.exists() else 0

    def _sizes(self) -> dict[str, int]:
        rows = select(LadderPbnRow.week, LadderPbnRow.size)
        with transaction(self._engine, "read") as session:
            own = session.execute(rows.where(LadderPbnRow.ladder == self._ladder))
            return {row.week: row.size for row in own}

    def _cut(self, path: Path, size: int) -> None:
        """Cut off what a file has beyond its size, unless it is of another ladder."""
        if path.stat().st_size <= size:
            return
        (beginning,) = self._beginning(path.stem)
        with path.open("r+b") as file:
            known = file.read(len(beginning))
            if known != beginning[: len(known)]:
                raise OSError(f"{path} is of another ladder: give this one another folder")
            file.truncate(size)

    def _beginning(self, week: str) -> Iterator[bytes]:
        yield f"{HEADER}{SEVERAL}{self._name}, {week}\r\n".encode("latin-1", "replace")

    def _matches_of(self, week: str) -> list[int]:
        """Return the numbers of the matches that ended in a week, in the order of their ends."""
        columns = select(LadderMatchRow.number, LadderMatchRow.ended)
        over = columns.where(LadderMatchRow.ladder == self._ladder, LadderMatchRow.is_over)
        with transaction(self._engine, "read") as session:
            rows = session.execute(over.order_by(LadderMatchRow.ended, LadderMatchRow.number))
            return [number for number, ended in rows if ended and week_of(ended) == week]

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
