"""What was played in a match of a ladder, as its store keeps it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.strength.style import Style

_SWING = np.dtype(np.int8)

NONE = -128
"""Stands for a board that does not count, or was not played."""


@dataclass(frozen=True, slots=True)
class PlayedBoards:
    """What was played in a match."""

    # The swing of each board in order; None for one that does not count, or was not played.
    swings: tuple[int | None, ...]
    styles: tuple[Style, Style]  # what the home team and the visitors did

    @property
    def stored_swings(self) -> bytes:
        """The swings as they are stored."""
        return np.array([NONE if one is None else one for one in self.swings], _SWING).tobytes()


def read_swings(stored: bytes) -> NDArray[np.int8]:
    """Return swings as they were stored, with `NONE` for boards without one."""
    return np.frombuffer(stored, _SWING)
