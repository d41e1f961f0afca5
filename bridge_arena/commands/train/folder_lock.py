"""Folders that one command at a time works in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

_LOCK = ".lock"
"""An empty file of the folder, which stays there."""


class BusyError(Exception):
    """Another command works in the folder."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """While no other process is `alone` in the folder. Raises BusyError, OSError."""
    folder.stat()  # one that is not there would be made
    lock = FileLock(folder / _LOCK, fallback_to_soft=False)
    try:
        held = lock.acquire(blocking=False)
    except Timeout:
        raise BusyError(f"another command is at work in {folder}") from None
    with held:
        yield
