"""A bound on the lines that an organiser is told of what others may repeat without end."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

MOST_LINES = 4
"""The most lines in a minute."""

MINUTE = 60.0


class FewLines:
    """A count of the lines of one kind, of which a few a minute may be told.

    Args:
        now: Returns the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        # The times of the last lines.
        self._told: deque[float] = deque(maxlen=MOST_LINES)

    def may_be_told(self) -> bool:
        """Return whether one more line may be told now, and count it if so."""
        now = self._now()
        if len(self._told) == MOST_LINES and now - self._told[0] < MINUTE:
            return False
        self._told.append(now)
        return True
