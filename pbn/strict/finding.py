"""The findings of the strict reader, and their severity."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Severity(IntEnum):
    """The severity of a finding; a game is playable up to ERROR, not if SEVERE."""

    CLEAN = 0
    WARNING = 1
    ERROR = 2
    SEVERE = 3

    @property
    def title(self) -> str:
        """The verifier's words for it."""
        return ("OK", "PBN warning", "PBN error", "severe PBN error")[self]

    def __str__(self) -> str:
        return self.name.lower()


class Fault(NamedTuple):
    """A fault whose line is not known yet.

    Attributes:
        severity: How bad it is.
        reason: What is wrong.
    """

    severity: Severity
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault at a line of the file.

    Attributes:
        severity: How bad it is.
        line: The line, from 1.
        reason: What is wrong.
    """

    severity: Severity
    line: int
    reason: str


def warning(reason: str) -> Fault:
    """Return a fault that is a warning."""
    return Fault(Severity.WARNING, reason)


def error(reason: str) -> Fault:
    """Return a fault that is an error."""
    return Fault(Severity.ERROR, reason)


def severe(reason: str) -> Fault:
    """Return a fault that is severe."""
    return Fault(Severity.SEVERE, reason)
