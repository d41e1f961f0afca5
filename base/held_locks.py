"""Locks that one process at a time holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout


def beside(path: Path) -> Path:
    """Return the lock of a file, or of a folder that is replaced as a whole."""
    return path.with_name(f".{path.name}.lock")


@contextmanager
def held(lock: Path, what: object) -> Iterator[None]:
    """Hold a lock in the context, by an empty file that is there meanwhile.

    Args:
        lock: The file. Its folder is made where it is not there.
        what: What the lock is for, as an error names it.

    Yields:
        Nothing; the lock is held until the context ends, however the process ends.

    Raises:
        BlockingIOError: Another process, or another context of this one, holds it.
        OSError: The file cannot be made.
    """
    try:
        holding = FileLock(lock, fallback_to_soft=False).acquire(blocking=False)
    except Timeout:
        raise BlockingIOError(f"{what} is in use by another run") from None
    with holding:
        try:
            yield
        finally:
            # While it is held: whoever has opened it before finds it deleted, and does not hold it.
            with suppress(OSError):
                lock.unlink()
