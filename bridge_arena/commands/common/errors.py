"""The errors that end a command; `main` turns each into an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class UnusableError(Exception):
    """The arguments or the input cannot be used; the text says why in one line."""


class FailedError(Exception):
    """The command ran, but failed; the text says how in one line."""


class InterruptedCommandError(Exception):
    """The command was interrupted; the text says in one line how to go on."""


def complain(line: object) -> None:
    """Print a line that is no error on standard error, while a command works."""
    print(f"arena: {line}", file=sys.stderr)


@contextmanager
def unusable(
    *kinds: type[Exception], reading: bool = False, writing: Path | None = None
) -> Iterator[None]:
    """Make errors of these kinds in the context UnusableError, with the same text.

    Errors of the system become it too while files are read, or written to `writing`, and say which.
    """
    try:
        yield
    except kinds as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        if reading:
            raise UnusableError(f"cannot read {error.filename}: {error.strerror}") from None
        if writing is not None:
            raise UnusableError(cannot_write(error, writing)) from None
        raise


def cannot_write(error: OSError, otherwise: object) -> str:
    """Say why a file could not be written: the one that the error names, or else `otherwise`."""
    if error.strerror is None:
        return str(error)  # the code that raised it wrote the text
    return f"cannot write {error.filename or otherwise}: {error.strerror}"


def plain(error: OSError) -> str:
    """Return the text of an error of the system without its number."""
    named = f"{error.filename}: " if error.filename else ""
    return str(error) if error.strerror is None else named + error.strerror


_IS_POSIX = os.name == "posix"


def need_posix(command: str) -> None:
    """Check that this is a POSIX system. Raises UnusableError."""
    if not _IS_POSIX:
        raise UnusableError(
            f"{command} needs a POSIX system, as Linux, macOS or the Windows Subsystem for Linux"
        )
