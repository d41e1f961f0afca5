"""The bot's conduct, which is watched throughout, whatever point is tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Slip:
    """Something that the bot should not have sent.

    Attributes:
        text: What is wrong with it.
        frame: The frame, as JSON has it.
    """

    text: str
    frame: Any


@dataclass(slots=True)
class Slips:
    """The slips of one kind.

    Attributes:
        count: Their number.
        first: The first, if any.
        last: The last, if any.
    """

    count: int = 0
    first: Slip | None = None
    last: Slip | None = None

    def note(self, slip: Slip) -> None:
        """Count a slip."""
        self.count += 1
        self.first = self.first or slip
        self.last = slip


@dataclass(slots=True)
class Conduct:
    """The bot's conduct throughout the check.

    Attributes:
        unasked: Messages that answer no open turn.
        explanations: Explanations that are not of the protocol.
        times: The times of the answers, in seconds.
    """

    unasked: Slips = field(default_factory=Slips)
    explanations: Slips = field(default_factory=Slips)
    times: list[float] = field(default_factory=list)

    def timing(self) -> dict[str, float]:
        """Return the number of answers, and their median and longest time in milliseconds."""
        times = self.times
        return {
            "actions": len(times),
            "median_ms": round(1000 * median(times), 1) if times else 0.0,
            "max_ms": round(1000 * max(times), 1) if times else 0.0,
        }
