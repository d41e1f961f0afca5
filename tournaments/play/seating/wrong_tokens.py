"""What the organiser is told of clients with a wrong token."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.few_lines import FewLines

MOST_NAMES = 5
"""The most names of missing entries in a line."""


class WrongTokens:
    """Tells of clients with a wrong token, however many come, in a few lines a minute.

    Nothing that a client sent is told: only its address, as the network has it.

    Args:
        announce: Called with each line.
        log: The event's log, which gets the same lines.
        missing: Returns the names of the entries of which a bot is missing.
        now: Returns the time in seconds.
    """

    def __init__(
        self,
        announce: Callable[[str], None],
        log: EventLog,
        missing: Callable[[], Sequence[str]],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._announce = announce
        self._log = log
        self._missing = missing
        # A team that has a wrong token comes with as many bots as lines are told.
        self._few = FewLines(now)
        # The number of clients that no line has told of.
        self._untold = 0

    def note(self, address: str) -> None:
        """Note a client with a wrong token, by its address."""
        if not self._few.may_be_told():
            self._untold += 1
            return
        others, self._untold = self._untold, 0
        also = f", as were {others} others since the last such line" if others else ""
        self._announce(
            f"a client from {address} was refused{also}: its token is wrong or was replaced"
            + _still_missing(self._missing())
        )
        self._log.write("wrong_token", address=address, others=others)


def _still_missing(names: Sequence[str]) -> str:
    if not names:
        return ""
    named, left = ", ".join(names[:MOST_NAMES]), len(names) - MOST_NAMES
    more = f" and {left} more" if left > 0 else ""
    return f"; bots of {named}{more} are missing"
