"""When those who watch are shown what happens at a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

MOST_SECONDS = 86_400.0
"""A day: who wants to wait longer may wait for the board."""


@dataclass(frozen=True, slots=True)
class Broadcast:
    """At once, some `seconds` later, or `after_board`: when nobody is to play the board any
    more, at whatever table. As text `live`, a number of seconds, or `board`."""

    seconds: float = 0.0
    after_board: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ValueError."""
        if text == "live":
            return cls()
        if text == "board":
            return cls(after_board=True)
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= MOST_SECONDS:
            raise ValueError(f"{text!r} is neither live, board nor seconds up to {MOST_SECONDS:g}")
        return cls(seconds)


LIVE = Broadcast()

AFTER_BOARD = Broadcast(after_board=True)
