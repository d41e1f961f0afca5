"""Files that a bot reads: those that ship with it, and those that it is told to."""

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
"""What a bot's option says where it is no file: what comes with the project."""


UNREADABLE = (
    *(ValueError, TypeError, LookupError, EOFError, MemoryError, OverflowError, RuntimeError),
    *(pickle.UnpicklingError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error),
)
"""What readers of numpy and torch raise where a file holds something else."""


def read_shipped(package: str, read: Callable[[Path], _T], name: str = "weights.npz") -> _T:
    """What a file says that ships in the folder of a bot."""
    with resources.as_file(resources.files(package) / name) as path:
        return read(path)


def told_to_read(file: str, read: Callable[[Path], _T]) -> _T:
    """What a bot's option names. Raises ValueError, which names the file."""
    try:
        return read(Path(file))
    except OSError as error:
        raise ValueError(f"cannot read {error.filename or file}: {error.strerror}") from None
