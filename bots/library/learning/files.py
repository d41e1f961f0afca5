"""Files that are written whole or not at all, and files that a bot is told to read."""

from __future__ import annotations

import pickle
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

_T = TypeVar("_T")

SHIPPED = "shipped"
"""What a bot's option says where it is no file: what comes with the project."""


UNREADABLE = (
    *(ValueError, TypeError, LookupError, EOFError, MemoryError, OverflowError, RuntimeError),
    *(pickle.UnpicklingError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error),
)
"""What readers of numpy and torch raise where a file holds something else."""


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Make or replace a file: `write` fills another one beside it, which then takes its place.

    Raises OSError, which names the file.
    """
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        write(unfinished)
        unfinished.replace(path)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_text_whole(path: Path, text: str) -> None:
    """Make or replace a file of text. Raises OSError."""

    def write(unfinished: Path) -> None:
        unfinished.write_text(text, encoding="utf-8", newline="")

    write_whole(path, write)


def told_to_read(file: str, read: Callable[[Path], _T]) -> _T:
    """What a bot's option names. Raises ValueError, which names the file."""
    try:
        return read(Path(file))
    except OSError as error:
        raise ValueError(f"cannot read {error.filename or file}: {error.strerror}") from None
