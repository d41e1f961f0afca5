"""Folders that one command at a time works in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path


class BusyError(Exception):
    """Another command works in the folder."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """While no other process is `alone` in the folder. Raises BusyError, OSError."""
    locked = os.open(folder, os.O_RDONLY)
    try:
        try:
            flock(locked, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise BusyError(f"another command is at work in {folder}") from None
        yield
    finally:
        os.close(locked)
