"""The log of an event: one JSON object a line, for diagnosis only."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path

from filelock import lock_descriptor

from bridge_arena.bridge.record import Fault

# Made only once.
_ENCODER = json.JSONEncoder(default=str)

_LONGEST = 1024 * 1024
"""The length in bytes of the end of a log in which an incomplete line is looked for."""


class EventLog:
    """A log that appends to a file while its context is entered; one process at a time may do so.

    Outside its context, or without a path, it writes nothing. Entering raises OSError if the file
    cannot be written or another process has it open.

    Attributes:
        listeners: Called with the name and the facts of each line, even if it cannot be written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.listeners: list[Callable[..., None]] = []
        self._path = path
        self._file: FileIO | None = None
        # The error after which the log stopped; "" if there was none.
        self._failure = ""

    def write(self, what: str, **facts: object) -> None:
        """Write a line with the time, the event and its facts.

        If the line cannot be written, as on a full disk, the log ends with the line before it.
        `check` then raises the error.
        """
        for listener in self.listeners:
            listener(what, **facts)
        if self._file is None or self._failure:
            return
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = _ENCODER.encode({"time": time, "event": what, **facts})
        end = self._file.tell()
        try:
            _write(self._file, f"{line}\n".encode())
        except OSError as error:
            self._failure = f"cannot write {self._path}: {error.strerror}"
            with suppress(OSError):
                self._file.truncate(end)

    def note_fault(self, unit: str, board: int, players: Sequence[str], fault: Fault) -> None:
        """Write a line for a fault as it happens."""
        self.write("fault", unit=unit, board=board, **facts_of(fault, players))

    def retry(self) -> None:
        """Write lines again after one could not be written; those since then are lost.

        Raises OSError.
        """
        if self._file is not None:
            _go_to_end(self._file)
        self._failure = ""

    def check(self) -> None:
        """Check that every line was written. Raises OSError."""
        if self._failure:
            raise OSError(self._failure)

    def __enter__(self) -> EventLog:
        """Open the file. Raises OSError, also while another process has it open."""
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

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def facts_of(fault: Fault, players: Sequence[str]) -> dict[str, object]:
    """Return what the log has of a fault; `players` are the names by seat."""
    return {
        "kind": fault.kind,
        "seat": fault.seat.letter,
        "entry": players[fault.seat],
        "action": fault.action,
        "detail": fault.detail,
    }


def _write(file: FileIO, data: bytes) -> None:
    """Write all of the data, even if the system takes it in parts. Raises OSError."""
    while data:
        data = data[file.write(data) :]


def _go_to_end(file: FileIO) -> None:
    """Go to the end of the file, and remove a last line that a killed process left incomplete."""
    size = file.seek(0, os.SEEK_END)
    start = file.seek(max(0, size - _LONGEST))
    last = file.read(size - start)
    file.seek(start + last.rfind(b"\n") + 1 if last else size)
    with suppress(OSError):  # only a regular file can be truncated
        file.truncate()
