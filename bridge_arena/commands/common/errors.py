"""How a command ends when it does not simply succeed; `main` gives the exit status."""

from __future__ import annotations


class UnusableError(Exception):
    """Arguments or input that cannot be used: one line says why."""


class FailedError(Exception):
    """The command ran, but failed: one line says how."""


class InterruptedCommandError(Exception):
    """The command was interrupted: one line says how to go on."""


def cannot_write(error: OSError, otherwise: object) -> str:
    """Say which file could not be written, and why: the one that the error names, or else this."""
    if error.strerror is None:
        return str(error)  # it was worded where it was raised
    return f"cannot write {error.filename or otherwise}: {error.strerror}"


def plain(error: OSError) -> str:
    """Tell an error of the system without its number."""
    named = f"{error.filename}: " if error.filename else ""
    return str(error) if error.strerror is None else named + error.strerror
