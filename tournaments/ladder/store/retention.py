"""What a ladder deletes of what it keeps, as the thoughts of matches that ended long ago."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Protocol

from sqlalchemy import delete, func, select
from sqlalchemy.engine import Connection, Engine

from bridge_arena.tournaments.ladder.ladder_file import match_name
from bridge_arena.tournaments.store import StoreError
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import EventRow, LadderMatchRow, LadderRow, ThoughtRow

PAUSE = 0.05
"""The seconds between two deletions, in which others may write."""

_DIGITS = 9
"""The most digits of a match's number."""

ROUND = 3600.0
"""The seconds between two looks at what is old."""


class Perishable(Protocol):
    """What is kept for some days."""

    def delete_next(self, before: str) -> bool:
        """Delete the next of what is older than a time, in ISO 8601; return whether there was any.

        Raises StoreError and OSError.
        """


class OldThoughts:
    """The thoughts of a ladder's matches that ended long ago; methods raise StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder
        self._last = 0  # the id of the event that was looked at last

    def delete_next(self, before: str) -> bool:
        """Delete the thoughts of the next match that ended before a time, in ISO 8601.

        Returns:
            Whether there was one; if not, the next call begins with the first match again.
        """
        with statements(self._engine, "write") as connection:
            while (event := self._next(connection)) is not None:
                self._last = event
                began, ended = self._times(connection, event)
                # Events are in the order in which matches began.
                if began is not None and began >= before:
                    break
                if ended is not None and ended < before:
                    connection.execute(delete(ThoughtRow).where(ThoughtRow.event == event))
                    return True
        self._last = 0
        return False

    def _next(self, connection: Connection) -> int | None:
        """Return the next event that has thoughts."""
        later = select(func.min(ThoughtRow.event)).where(ThoughtRow.event > self._last)
        return connection.scalar(later)

    def _times(self, connection: Connection, event: int) -> tuple[str | None, str | None]:
        """Return when the match of an event began and ended; None if it is none of the ladder."""
        name = str(connection.scalar(select(EventRow.name).where(EventRow.id == event)))
        ladder = connection.scalar(select(LadderRow.name).where(LadderRow.id == self._ladder))
        number = name.rpartition(" ")[2]
        if (
            not number.isdecimal()
            or len(number) > _DIGITS
            or name != match_name(str(ladder), int(number))
        ):
            return None, None
        columns = select(LadderMatchRow.began, LadderMatchRow.ended)
        own = LadderMatchRow.ladder == self._ladder, LadderMatchRow.number == int(number)
        row = connection.execute(columns.where(*own)).one_or_none()
        return (None, None) if row is None else (row.began, row.ended)


async def delete_old(kept: Perishable, days: int, is_calm: Callable[[], bool]) -> None:
    """Delete what is older than so many days, for ever.

    Args:
        kept: What is kept.
        days: The number of days.
        is_calm: Returns whether the clock may decide what is old.
    """
    while True:
        is_more = False
        if is_calm():
            before = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
            # What cannot be deleted now is deleted another time.
            with suppress(OSError, StoreError):
                is_more = await asyncio.to_thread(kept.delete_next, before)
        await asyncio.sleep(PAUSE if is_more else ROUND)
