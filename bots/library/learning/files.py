"""Files that a bot reads: those that ship with it, and those that an option names."""

from __future__ import annotations

import pickle
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TypeVar

_T = TypeVar("_T")

SHIPPED = "shipped"
"""The value of a bot's option that stands for the file that ships with the project."""


UNREADABLE = (
    *(ValueError, TypeError, LookupError, EOFError, MemoryError, OverflowError, RuntimeError),
    *(pickle.UnpicklingError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error),
)
"""The errors that the readers of numpy and torch raise if a file holds something else."""


def read_shipped(package: str, read: Callable[[Path], _T], name: str = "weights.npz") -> _T:
    """Return what `read` makes of a file that ships in the folder of a bot."""
    with resources.as_file(resources.files(package) / name) as path:
        return read(path)


def told_to_read(file: str, read: Callable[[Path], _T]) -> _T:
    """Return what `read` makes of a file that a bot's option names.

    Args:
        file: The file.
        read: The function that reads it.

    Returns:
        The result of `read`.

    Raises:
        ValueError: The file cannot be read; the message names it.
    """
    try:
        return read(Path(file))
    except OSError as error:
        raise ValueError(f"cannot read {error.filename or file}: {error.strerror}") from None
