"""A point of the check, and how it ends: what is found of it, and the errors that say so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from bridge_arena.conformance.exam import Exam

Check: TypeAlias = "Callable[[Exam], Awaitable[str | None]]"
"""Tries a point, and may return a remark on it. It raises NotHeldError, UnsupportedError and
NotPossibleError."""


@dataclass(frozen=True, slots=True)
class Point:
    id: str  # its name
    title: str  # what the bot does, in words
    check: Check  # the function that tries it
    needs: tuple[str, ...] = ()  # the points that must not have failed for this one to be tried
    informs: bool = False  # whether it only informs, and cannot fail
    goes_on: bool = True  # whether the next board must be played afterwards


class Status(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    NOT_TRIED = "not tried"
    INFORMATION = "information"  # nothing that could fail


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a point; `expected` and the fields after it are of a failure."""

    id: str  # the point's name
    title: str  # the point in words
    status: Status  # whether it passed
    note: str = ""  # a remark on it
    expected: str = ""  # what was expected
    received: str = ""  # what came instead
    asked: Any = None  # the message that the bot answered, as JSON has it, if any
    frame: Any = None  # the frame that the bot sent, as JSON has it, if any
    output: str = ""  # the end of the bot's output if it ended


@dataclass(eq=False)
class NotHeldError(Exception):
    """The bot failed a point; the fields are those of a `Finding`."""

    expected: str
    received: str
    asked: Any = field(default=None, kw_only=True)
    frame: Any = field(default=None, kw_only=True)
    output: str = field(default="", kw_only=True)

    def __str__(self) -> str:
        return f"expected {self.expected}, received {self.received}"

    def finding(self, point: Point) -> Finding:
        return Finding(point.id, point.title, Status.FAILED, **asdict(self))


class UnsupportedError(Exception):
    """The bot does not support something optional; the message says what."""


class NotPossibleError(Exception):
    """The point cannot be tried with this bot; the message says why."""
