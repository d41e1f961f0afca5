"""The errors that end a command; `main` turns each into an exit status."""

from __future__ import annotations


class UnusableError(Exception):
    """The arguments or the input cannot be used; the text says why in one line."""


class FailedError(Exception):
    """The command ran, but failed; the text says how in one line."""


class InterruptedCommandError(Exception):
    """The command was interrupted; the text says in one line how to go on."""


def cannot_write(error: OSError, otherwise: object) -> str:
    """Say why a file could not be written: the one that the error names, or else `otherwise`."""
    if error.strerror is None:
        return str(error)  # the code that raised it wrote the text
    return f"cannot write {error.filename or otherwise}: {error.strerror}"


def plain(error: OSError) -> str:
    """Return the text of an error of the system without its number."""
    named = f"{error.filename}: " if error.filename else ""
    return str(error) if error.strerror is None else named + error.strerror
