"""Time at the table, in seconds of whatever clock the caller reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a seat may take: `action` seconds for each call or card."""

    action: float = 60.0

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Seconds for each action, as in `2.5`. Raises ValueError."""
        try:
            seconds = float(text)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < float("inf"):
            raise ValueError(f"{text!r} is not a time limit (seconds for each action, like 2.5)")
        return cls(seconds)


class Clock:
    """The clock of one board: it runs for the seat that is asked to act."""

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        # When the seat in turn was first asked.
        self._started = 0.0

    def start(self, now: float) -> None:
        """A seat is asked to act; a seat asked again keeps what is left of its time."""
        self._started = now

    @property
    def deadline(self) -> float:
        """When the seat in turn runs out of time."""
        return self._started + self._control.action

    def elapsed(self, now: float) -> float:
        """Seconds since the seat was first asked."""
        return now - self._started

    def left(self, now: float) -> float:
        """Seconds that the seat has left."""
        return max(0.0, self.deadline - now)
