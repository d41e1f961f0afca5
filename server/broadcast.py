"""The delay with which spectators are shown what happens at a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

MOST_SECONDS = 86_400.0
"""A day; `board` serves those who want a longer delay."""


@dataclass(frozen=True, slots=True)
class Broadcast:
    """A broadcast: live, some seconds later, or after the board.

    As text it is `live`, a number of seconds, or `board`.

    Attributes:
        seconds: The delay; 0 for live.
        after_board: Whether a board is shown only when nobody is to play it any more, at any table.
    """

    seconds: float = 0.0
    after_board: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a broadcast.

        Args:
            text: `live`, a number of seconds, or `board`.

        Returns:
            The broadcast.

        Raises:
            ValueError: The text cannot be read.
        """
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
