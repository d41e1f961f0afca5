"""How a command ends when it does not simply succeed; `main` gives the exit status."""

from __future__ import annotations


class UnusableError(Exception):
    """Arguments or input that cannot be used: one line says why."""


class FailedError(Exception):
    """The command ran, but failed: one line says how."""


class InterruptedCommandError(Exception):
    """The command was interrupted: one line says how to go on."""
