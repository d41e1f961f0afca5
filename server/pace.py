"""The pace of a table: the least time between two of its actions, which no clock counts."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Pace:
    """The time at a table, which stands still while an action is held back.

    An action is held back after it was decided and before anybody is told it. So it costs its
    player the time that it took, and the next player is asked when it is shown.

    Args:
        seconds: The least seconds between two actions; 0 to hold back none.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        # The seconds for which the time has stood still so far.
        self._held = 0.0
        # The time, in that of the event loop, before which the next action is not shown.
        self._next = 0.0
        # Set when nothing is held back any more.
        self._dropped = asyncio.Event()

    def drop(self) -> None:
        """Hold back nothing any more, as the play is to end soon."""
        self.seconds = 0.0
        self._dropped.set()

    def now(self) -> float:
        return asyncio.get_running_loop().time() - self._held

    def on_loop(self, time: float) -> float:
        """Return the time of the event loop at a time of the table, if it stands still no more."""
        return time + self._held

    async def hold(self, timer: asyncio.Timeout) -> None:
        """Wait until another action may be shown, while a timer of the table waits too."""
        if not self.seconds:
            return
        loop = asyncio.get_running_loop()
        began, end = loop.time(), timer.when()
        if began < self._next:
            timer.reschedule(None)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._next):
                    await self._dropped.wait()
            waited = loop.time() - began
            self._held += waited
            timer.reschedule(None if end is None else end + waited)
        self._next = loop.time() + self.seconds
