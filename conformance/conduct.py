"""What is watched all the time, whatever point is tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Slip:
    """Something that the bot should not have sent: what is wrong with it, and the frame."""

    text: str
    frame: Any


@dataclass(slots=True)
class Slips:
    """Slips of a kind: how many, the first, and the last; None where there are none."""

    count: int = 0
    first: Slip | None = None
    last: Slip | None = None

    def note(self, slip: Slip) -> None:
        self.count += 1
        self.first = self.first or slip
        self.last = slip


@dataclass(slots=True)
class Conduct:
    """`unasked`: messages that answer no open turn. `explanations`: those that are not of the
    protocol. `times`: of the answers, in seconds."""

    unasked: Slips = field(default_factory=Slips)
    explanations: Slips = field(default_factory=Slips)
    times: list[float] = field(default_factory=list)

    def timing(self) -> dict[str, float]:
        """How many answers there were, and their time in milliseconds."""
        times = self.times
        return {
            "actions": len(times),
            "median_ms": round(1000 * median(times), 1) if times else 0.0,
            "max_ms": round(1000 * max(times), 1) if times else 0.0,
        }
