"""Files that are whole or not there, locks that one process holds, and the folder of caches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CACHE = "ARENA_CACHE"
"""The environment variable that names the folder of caches; empty, nothing is kept."""


@contextmanager
def replacing(path: Path, *, is_private: bool = False) -> Iterator[Path]:
    """Yield a temporary path; the file written there replaces `path` if the body succeeds.

    If it is private, only the owner may read and write it. OSError names `path`.
    """
    unfinished = path.with_name(f".{path.name}.new")
    try:
        if is_private:
            unfinished.unlink(missing_ok=True)
            unfinished.touch(mode=0o600)
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        if error.filename in (None, str(unfinished)):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def replace_file(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """Make or replace a file in one step, as `replacing` does; raise OSError if that fails."""
    with replacing(path, is_private=is_private) as unfinished:
        unfinished.write_bytes(data)


def beside(path: Path) -> Path:
    """Return the lock of a file, or of a folder that is replaced as a whole."""
    return path.with_name(f".{path.name}.lock")


@contextmanager
def held(lock: Path, what: object) -> Iterator[None]:
    """Hold a lock in the context, by an empty file that is there meanwhile.

    The lock is held until the context ends, however the process ends. Its folder is made where it
    is not there. BlockingIOError, which names `what` it is for, is raised if another process, or
    another context of this one, holds it; OSError if the file cannot be made.
    """
    # Not at the top: a bot writes files without the extra that brings filelock.
    from filelock import FileLock, Timeout  # noqa: PLC0415

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


def is_held(lock: Path) -> bool:
    """Return whether a lock is held at present; neither it nor its file changes. Raises OSError."""
    # Not at the top: only POSIX systems have it.
    from fcntl import LOCK_NB, LOCK_SH, flock  # noqa: PLC0415

    try:
        with lock.open("rb") as file:
            flock(file, LOCK_SH | LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def cache_folder() -> Path | None:
    """Return the folder of what is kept between commands and can be made again, even if not there.

    Without ARENA_CACHE it is `bridge-arena` in the user's folder of caches, where the XDG Base
    Directory Specification has it. None: nothing is to be kept, or the user has no home.
    """
    named = os.environ.get(CACHE)
    if named is not None:
        return Path(named).absolute() if named else None
    # Not platformdirs, which takes a relative path, and knows no user without a home.
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not caches.is_absolute():  # the specification has relative paths ignored
        try:
            caches = Path.home() / ".cache"
        except RuntimeError:
            return None
    return caches / "bridge-arena"
