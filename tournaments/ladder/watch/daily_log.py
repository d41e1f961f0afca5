"""The log of a ladder: that of today, and a file for each earlier day, of which some are kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path

from bridge_arena.tournaments.play.event_log import EventLog

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _today() -> date:
    return datetime.now(UTC).date()


class DailyLog(EventLog):
    """A log whose lines of earlier days are in files of their own, as `log-2026-11-28.jsonl`.

    Days count on which something was logged. So a clock that jumps costs no more than one file.

    Args:
        path: The file of today's log.
        days: The number of earlier days to keep.
        today: Returns the day, in UTC.
    """

    def __init__(self, path: Path, days: int, today: Callable[[], date] = _today) -> None:
        super().__init__(path)
        self._place = path
        self._days = days
        self._today = today
        self._day = today()  # that of the lines in the file

    def __enter__(self) -> DailyLog:
        with suppress(OSError):
            status = self._place.stat()
            if status.st_size:
                self._day = datetime.fromtimestamp(status.st_mtime, UTC).date()
        super().__enter__()
        return self

    def write(self, what: str, **facts: object) -> None:
        if self._file is not None and self._today() > self._day:
            self._begin_day()
        super().write(what, **facts)

    def retry(self) -> None:
        super().retry()
        if self._file is None:
            super().__enter__()

    def _begin_day(self) -> None:
        """Put the lines so far away, and delete those of days that are no longer kept."""
        place = self._place
        earlier = place.with_stem(f"{place.stem}-{self._day}")
        self._day = self._today()
        # Lines stay where they are if they cannot be put away, or some were before a clock jumped.
        with suppress(OSError):
            if not earlier.exists():
                place.rename(earlier)
                self._begin_file()
            days = [
                path
                for path in place.parent.glob(f"{place.stem}-*{place.suffix}")
                if _DAY.fullmatch(path.stem.removeprefix(f"{place.stem}-"))
            ]
            for path in sorted(days)[: -self._days]:
                path.unlink()

    def _begin_file(self) -> None:
        """Go on in a new file; `check` raises the error if it cannot be made."""
        self.__exit__()
        try:
            super().__enter__()
        except OSError as error:
            self._failure = str(error)
