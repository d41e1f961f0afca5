"""The learned table in numpy: bids, and says what its calls mean.

A file of arrays: `openings`, the opening step of each of Prorok's states; `situations`, the
numbers of those that are known; `steps`, for each of them the step of each cell. The
first row of what follows is the opening's, then a row a situation, for each step: `seen`, how
many hands made it among a million pairs; `ranges`, between which all but one in 400 at either
end had their high-card points and their lengths, clubs first; `passed`, how often partner
passed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError, write_arrays
from bridge_arena.bots.library.learning.files import read_shipped
from bridge_arena.bots.library.learning.hands import Hands
from bridge_arena.bots.qtable.calls import FIRST, STEPS, TURNS, situation_of
from bridge_arena.bots.qtable.cells import CELLS, cells, opening_steps
from bridge_arena.bots.qtable.classes import STATES

WEIGHTS = "weights.npz"


class TableError(ValueError):
    """A file does not hold a learned table."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a call says: least and most high-card points, and cards in clubs, diamonds, hearts
    and spades; and the share of hands with which partner passes it."""

    hcp: tuple[int, int]
    lengths: tuple[tuple[int, int], ...]
    passed: float


@dataclass(frozen=True, slots=True)
class BiddingTable:
    """The arrays of a file."""

    openings: NDArray[np.int8]
    situations: NDArray[np.int16]
    steps: NDArray[np.uint8]
    seen: NDArray[np.int32]
    ranges: NDArray[np.uint8]
    passed: NDArray[np.float32]

    @classmethod
    def read(cls, path: Path) -> BiddingTable:
        """Raises TableError, OSError."""
        try:
            arrays = Arrays(path)
            known = len(arrays.numbers("situations", None))
            return cls(
                arrays.numbers("openings", STATES),
                arrays.numbers("situations", known),
                arrays.numbers("steps", known, CELLS),
                arrays.numbers("seen", known + 1, STEPS),
                arrays.numbers("ranges", known + 1, STEPS, 5, 2),
                arrays.numbers("passed", known + 1, STEPS),
            )
        except ArraysError as error:
            raise TableError(f"no learned table: {error}") from None

    def write(self, path: Path) -> None:
        """Raises OSError."""
        arrays = {name: getattr(self, name) for name in self.__dataclass_fields__}
        write_arrays(path, arrays, compress=True)

    def bid(self, east: Hands, west: Hands) -> NDArray[np.int8]:
        """The steps of the auctions of pairs of hands, n×4, -1 where none is made. What is
        not known is passed."""
        made = np.full((len(east), TURNS), -1, np.int8)
        made[:, 0] = opening_steps(east, self.openings)
        held = (cells(west), cells(east))
        place = made[:, 0].astype(np.int64)
        going = np.arange(len(east))
        rows = self.rows()
        for turn in range(1, TURNS):
            row = rows[FIRST[turn] + place[going]]
            steps = np.where(row < 0, 0, self.steps[row, held[turn == 2][going]])
            made[going, turn] = steps
            place[going] = place[going] * STEPS + steps
            going = going[steps > 0]
        return made

    def rows(self) -> NDArray[np.int64]:
        """The row of `steps` of each situation; -1 where it is not known."""
        rows = np.full(FIRST[-1] + STEPS ** (TURNS - 1), -1)
        rows[self.situations] = np.arange(len(self.situations))
        return rows

    def step(self, made: Sequence[int], hand: Hands) -> int | None:
        """The step of a hand, 1×52, after the steps made; None where they are not known."""
        if not made:
            return int(opening_steps(hand, self.openings)[0])
        row = self._row(made)
        return None if row is None else int(self.steps[row, cells(hand)[0]])

    def meaning(self, made: Sequence[int]) -> Meaning | None:
        """What the last of the steps says; None where it was never made."""
        row = 0 if len(made) == 1 else self._row(made[:-1])
        if row is None:
            return None
        place = row + (len(made) > 1)
        if self.seen[place, made[-1]] == 0:
            return None
        hcp, *lengths = [(int(low), int(high)) for low, high in self.ranges[place, made[-1]]]
        return Meaning(hcp, tuple(lengths), float(self.passed[place, made[-1]]))

    def _row(self, made: Sequence[int]) -> int | None:
        if len(made) >= TURNS:
            return None
        found = np.flatnonzero(self.situations == situation_of(made))
        return int(found[0]) if len(found) else None


@lru_cache(maxsize=1)
def shipped() -> BiddingTable:
    """The table that ships."""
    return read_shipped("bridge_arena.bots.qtable", BiddingTable.read)
