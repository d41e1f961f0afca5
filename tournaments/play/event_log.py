"""The log of a match: one JSON object a line, for diagnosis only."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from types import TracebackType

from filelock import lock_descriptor

_LONGEST = 1024 * 1024
"""How much of a log's end is looked at for a half line, in bytes."""


class EventLog:
    """Appends to a file while its context is entered; one process at a time. Before, and
    where there is no path, it keeps nothing."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._file: FileIO | None = None
        # Why the log ended before its time; "" where it did not.
        self._failure = ""

    def write(self, what: str, **facts: object) -> None:
        """One line: the time, what happened, and the facts of it. Where it cannot be written,
        as on a full disk, the log ends with the line before, and `check` tells."""
        if self._file is None or self._failure:
            return
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": time, "event": what, **facts}, default=str)
        end = self._file.tell()
        try:
            _write(self._file, f"{line}\n".encode())
        except OSError as error:
            self._failure = f"cannot write {self._path}: {error.strerror}"
            with suppress(OSError):
                self._file.truncate(end)

    def check(self) -> None:
        """Raises OSError where a line could not be written."""
        if self._failure:
            raise OSError(self._failure)

    def __enter__(self) -> EventLog:
        """Raises OSError, also while another process has the log open."""
        if self._path is None:
            return self
        try:
            self._file = FileIO(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600), "r+")
        except OSError as error:
            raise OSError(f"cannot write {self._path}: {error.strerror}") from None
        if not lock_descriptor(self._file.fileno(), blocking=False):
            self._file.close()
            raise BlockingIOError(f"{self._path.parent} is in use by another run")
        _go_to_end(self._file)
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


def _write(file: FileIO, data: bytes) -> None:
    """All of it: where a disk fills up, the first part goes well. Raises OSError."""
    while data:
        data = data[file.write(data) :]


def _go_to_end(file: FileIO) -> None:
    """A process that was killed may have left half a line: what comes next takes its place."""
    size = file.seek(0, os.SEEK_END)
    start = file.seek(max(0, size - _LONGEST))
    last = file.read(size - start)
    file.seek(start + last.rfind(b"\n") + 1 if last else size)
    with suppress(OSError):  # what is no file cannot be made shorter
        file.truncate()
