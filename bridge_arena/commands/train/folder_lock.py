"""A lock for folders in which one command at a time may work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

_LOCK = ".lock"
"""An empty file in the folder, which stays there."""


class BusyError(Exception):
    """Another command works in the folder."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder in the context. Raises BusyError, OSError."""
    folder.stat()  # raises for a missing folder, which the lock would create
    lock = FileLock(folder / _LOCK, fallback_to_soft=False)
    try:
        held = lock.acquire(blocking=False)
    except Timeout:
        raise BusyError(f"another command is at work in {folder}") from None
    with held:
        yield
