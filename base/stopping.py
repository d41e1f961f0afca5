"""The early end of long work: what has begun is finished, and nothing else begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from datetime import datetime


class StoppedError(Exception):
    """Work was stopped before all of it was done."""


class Stop:
    """The order to stop, and what is in play when it comes.

    Who does the work asks `begin` for each unit of it, and says when that has ended.

    Args:
        at: The time, with its zone, at which whoever handles signals gives the order; None for no
            time.
        boards: The most boards that may begin; None for any number.
        clock: Returns the time in seconds.

    Attributes:
        is_ordered: Whether nothing may begin any more.
        has_refused: Whether a unit could not begin.
        in_play: The units that have begun and not ended, each with the time when it began.
        listeners: Called when the order comes.
    """

    def __init__(
        self,
        at: datetime | None = None,
        boards: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.at = at
        self.is_ordered = False
        self.has_refused = False
        self.in_play: dict[str, float] = {}
        self.listeners: list[Callable[[], object]] = []
        self._most = boards
        self._clock = clock
        self._begun: set[Hashable] = set()
        self._boards = 0  # the number of boards that have begun
        self._longest = 0.0  # the seconds of the unit that took longest

    def order(self) -> None:
        """Let nothing begin any more."""
        self.is_ordered = True
        for listener in self.listeners:
            listener()

    def may_begin(self, board: Hashable) -> bool:
        """Return whether a unit of a board may begin."""
        is_full = self._most is not None and self._boards >= self._most
        return not self.is_ordered and (board in self._begun or not is_full)

    def begin(self, unit: str, board: Hashable, boards: int = 1) -> bool:
        """Return whether a unit may begin; then it is in play.

        Units of the same `board`, as in two rooms, count together as so many boards.
        """
        if not self.may_begin(board):
            self.has_refused = True
            return False
        if board not in self._begun:
            self._begun.add(board)
            self._boards += boards
        self.in_play[unit] = self._clock()
        return True

    def end(self, unit: str) -> None:
        """Note that a unit has ended."""
        began = self.in_play.pop(unit, None)
        if began is not None:
            self._longest = max(self._longest, self._clock() - began)

    def seconds_left(self) -> float | None:
        """Return how long all that is in play may take, if none takes longer than the longest yet.

        None if that is not known.
        """
        now = self._clock()
        left = max((self._longest - (now - began) for began in self.in_play.values()), default=0.0)
        return left if left > 0 else None
