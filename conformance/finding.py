"""What became of a point."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """How it stands with a point."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_TRIED = "not tried"
    INFORMATION = "information"  # nothing that could fail


@dataclass(frozen=True, slots=True)
class Finding:
    """`id`, `title`: the point's. `note`: what there is to say of it. The rest is of a failure:
    what was `expected` and `received`, the message that was `asked` and the `frame` that came
    as JSON has them (None: there is none), and the end of the bot's `output` if it died."""

    id: str
    title: str
    status: Status
    note: str = ""
    expected: str = ""
    received: str = ""
    asked: Any = None
    frame: Any = None
    output: str = ""
