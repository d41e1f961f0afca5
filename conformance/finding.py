"""The result of a point."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


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
