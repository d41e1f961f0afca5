"""What must be known of all games before one is valued.

It holds the records of files by the board that they played, on disk, and how each event's figures
were counted. The database is a temporary one of SQLite: it leaves nothing behind, and memory does
not grow with the files.
"""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bridge_arena.recorded.field.own_figures import Ways
from bridge_arena.recorded.field.tables import LEAST, FieldBoard, Worth, group_of, together, worths


class FieldIndexError(Exception):
    """The error of SQLite's temporary file that cannot be used (a full disk); its line says why."""


class FieldIndex:
    """The index of the fields: every record is added, then it is asked. Raises FieldIndexError."""

    def __init__(self) -> None:
        self.ways = Ways()  # how each event's figures were counted
        with _as_index_error():
            self._database = sqlite3.connect("")
            self._database.execute(
                "create table played (position integer, board text, score integer, field blob)"
            )
            self._database.execute("create index boards on played (board, position)")

    def close(self) -> None:
        self._database.close()

    def add(self, entries: Iterable[tuple[int, FieldBoard]]) -> None:
        """Add tables by their places in the list of all games."""
        rows = [
            (position, group_of(field), field.results[0].score, pickle.dumps(field))
            for position, field in entries
        ]
        with _as_index_error():
            self._database.executemany("insert into played values (?, ?, ?, ?)", rows)

    def worths(self, groups: Iterable[str]) -> dict[str, Mapping[int, Worth]]:
        """Return what scores are worth on those boards that have a field."""
        worth_by_group: dict[str, Mapping[int, Worth]] = {}
        for group in set(groups):
            rows = self._rows("select score from played where board = ?", group)
            scores = [score for (score,) in rows]
            if len(scores) >= LEAST:
                worth_by_group[group] = worths(scores)
        return worth_by_group

    def boards(self) -> Iterator[FieldBoard]:
        """Yield every board that has a field, in the order of its first table."""
        groups = self._rows(
            "select board from played group by board having count(*) >= ? order by min(position)",
            LEAST,
        )
        for (group,) in groups:
            rows = self._rows("select field from played where board = ? order by position", group)
            # The database holds only what this process has written, so unpickling is safe.
            yield together([pickle.loads(row) for (row,) in rows])

    def _rows(self, question: str, value: str | int) -> Iterator[tuple[Any, ...]]:
        with _as_index_error():
            yield from self._database.execute(question, (value,))


@contextmanager
def _as_index_error() -> Iterator[None]:
    """Turn the errors of the database into FieldIndexError."""
    try:
        yield
    except sqlite3.Error as error:
        raise FieldIndexError(
            f"cannot use a temporary file of SQLite: {error} (TMPDIR names its folder)"
        ) from None
