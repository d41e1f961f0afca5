"""The log of a match: one JSON object a line, for diagnosis only."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from types import TracebackType
from typing import TextIO


class EventLog:
    """Appends to a file while its context is entered; one process at a time. Before, and
    where there is no path, it keeps nothing."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._file: TextIO | None = None

    def write(self, what: str, **facts: object) -> None:
        """One line: the time, what happened, and the facts of it."""
        if self._file is not None:
            time = datetime.now(UTC).isoformat(timespec="milliseconds")
            line = json.dumps({"time": time, "event": what, **facts}, default=str)
            self._file.write(line + "\n")
            self._file.flush()

    def __enter__(self) -> EventLog:
        """Raises OSError, also while another process has the log open."""
        if self._path is None:
            return self
        self._file = self._path.open("a", encoding="utf-8")
        try:
            flock(self._file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise BlockingIOError(f"{self._path.parent} is in use by another run") from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
