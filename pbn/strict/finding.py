"""What the strict reader finds, and how bad it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Severity(IntEnum):
    """How bad a game is: playable all the same up to ERROR, not playable if SEVERE."""

    CLEAN = 0
    WARNING = 1
    ERROR = 2
    SEVERE = 3

    @property
    def title(self) -> str:
        """The verifier's words."""
        return ("OK", "PBN warning", "PBN error", "severe PBN error")[self]

    def __str__(self) -> str:
        return self.name.lower()


class Fault(NamedTuple):
    """Something wrong, before it is known where."""

    severity: Severity
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong at a line of the file, counted from 1."""

    severity: Severity
    line: int
    reason: str


def warning(reason: str) -> Fault:
    return Fault(Severity.WARNING, reason)


def error(reason: str) -> Fault:
    return Fault(Severity.ERROR, reason)


def severe(reason: str) -> Fault:
    return Fault(Severity.SEVERE, reason)
