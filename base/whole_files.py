"""Files that are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path, *, is_private: bool = False) -> Iterator[Path]:
    """A path to write to, which takes the place of `path` when all went well; `is_private`: for
    its owner's eyes alone. Raises OSError, which names `path` where that cannot be written."""
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
    """Make or replace a file. Raises OSError, as `replacing` does."""
    with replacing(path, is_private=is_private) as unfinished:
        unfinished.write_bytes(data)
