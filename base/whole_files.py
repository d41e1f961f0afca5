"""Files that are written completely or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path, *, is_private: bool = False) -> Iterator[Path]:
    """Yield a path to write to; the file written there replaces `path` if the body succeeds.

    Args:
        path: The file to make or replace.
        is_private: Whether only the owner may read and write the file.

    Yields:
        A temporary path in the same folder.

    Raises:
        OSError: The file cannot be written; the error names `path`.
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
    """Make or replace a file in one step.

    Args:
        path: The file to make or replace.
        data: Its bytes.
        is_private: Whether only the owner may read and write the file.

    Raises:
        OSError: The file cannot be written; the error names `path`.
    """
    with replacing(path, is_private=is_private) as unfinished:
        unfinished.write_bytes(data)
