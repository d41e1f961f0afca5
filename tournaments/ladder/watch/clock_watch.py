"""A watch on the machine's clock, by which nothing is measured, but which dates what is kept."""

from __future__ import annotations

import time
from collections.abc import Callable

from bridge_arena.base.wording import duration
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.watch.alerts import Alerts

MOST = 60.0
"""The most seconds by which the clock may move against the time that has passed."""

CALM = 3600.0
"""The seconds without a jump after which the clock is believed."""


class ClockWatch:
    """What tells jumps of the clock, as `look` is called again and again.

    Args:
        alerts: Where a jump is told.
        steady: Returns the seconds that pass, from any beginning.
        wall: Returns the time of the clock in seconds.
    """

    def __init__(
        self,
        alerts: Alerts,
        steady: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._alerts = alerts
        self._steady = steady
        self._wall = wall
        self._offset = wall() - steady()
        self._since = steady()  # when the clock jumped last, or the watch began

    def is_calm(self) -> bool:
        """Return whether the clock is believed, so that it may decide what is old."""
        return self._steady() - self._since > CALM

    def look(self) -> None:
        """Tell the administrator if the clock has jumped since the last look."""
        offset = self._wall() - self._steady()
        jump, self._offset = offset - self._offset, offset
        if abs(jump) > MOST:
            self._since = self._steady()
            way = "ahead" if jump > 0 else "back"
            self._alerts.begin(
                Kind.CLOCK, "", f"the clock of this machine was set {way} by {duration(abs(jump))}"
            )
        elif self.is_calm():
            self._alerts.end(Kind.CLOCK)
