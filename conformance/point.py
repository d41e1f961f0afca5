"""A point of the check, and how it ends: what is found of it, and the errors that say so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from bridge_arena.conformance.exam import Exam

Check: TypeAlias = "Callable[[Exam], Awaitable[str]]"
"""Tries a point, and returns a remark on it, which is usually empty. It raises NotHeldError,
UnsupportedError and NotPossibleError."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the check.

    Attributes:
        id: Its name.
        title: What the bot does, in words.
        check: The function that tries it.
        needs: The points that must not have failed for this one to be tried.
        informs: Whether it only informs, and cannot fail.
        goes_on: Whether the next board must be played afterwards.
    """

    id: str
    title: str
    check: Check
    needs: tuple[str, ...] = ()
    informs: bool = False
    goes_on: bool = True


class Status(StrEnum):
    """The status of a point."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_TRIED = "not tried"
    INFORMATION = "information"  # nothing that could fail


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a point; `expected` and the fields after it are of a failure.

    Attributes:
        id: The point's name.
        title: The point in words.
        status: Whether it passed.
        note: A remark on it.
        expected: What was expected.
        received: What came instead.
        asked: The message that the bot answered, as JSON has it, if any.
        frame: The frame that the bot sent, as JSON has it, if any.
        output: The end of the bot's output if it ended.
    """

    id: str
    title: str
    status: Status
    note: str = ""
    expected: str = ""
    received: str = ""
    asked: Any = None
    frame: Any = None
    output: str = ""


class NotHeldError(Exception):
    """The bot failed a point; the arguments are the fields of a `Finding`."""

    def __init__(
        self,
        expected: str,
        received: str,
        *,
        asked: Any = None,
        frame: Any = None,
        output: str = "",
    ) -> None:
        super().__init__(f"expected {expected}, received {received}")
        self.expected = expected
        self.received = received
        self.asked = asked
        self.frame = frame
        self.output = output

    def finding(self, point: Point) -> Finding:
        """Return what is found of a point that failed so."""
        return Finding(point.id, point.title, Status.FAILED, **vars(self))


class UnsupportedError(Exception):
    """The bot does not support something optional; the message says what."""


class NotPossibleError(Exception):
    """The point cannot be tried with this bot; the message says why."""
