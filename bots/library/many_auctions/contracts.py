"""The results of auctions, scored double dummy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.scores import imps_of, risks_table
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, Tricks

Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Contracts:
    """n contracts.

    Attributes:
        bid: The bid as 1 (1C) to 35 (7NT), n; 0 if the board was passed out.
        risk: 0, 1 if it is doubled, 2 if it is redoubled, n.
        declarer: The seat of declarer, counted from the dealer, n, if there is a bid.
    """

    bid: Whole
    risk: Whole
    declarer: Whole

    @classmethod
    def unknown(cls, number: int) -> Contracts:
        """Return contracts to be filled in by `put`."""
        return cls(*(np.zeros(number, np.int64) for _ in range(3)))

    def put(self, rows: NDArray[np.integer], auctions: Auctions) -> None:
        """Put the contracts of auctions that are over into these rows."""
        self.bid[rows] = auctions.last
        self.risk[rows] = auctions.risk
        self.declarer[rows] = auctions.declarer

    def points(self, boards: Boards, tricks: Tricks) -> Whole:
        """Return the points of the dealer's side, n; boards and tricks are in the same order."""
        rows = np.arange(len(self.bid))
        taken = tricks[rows, (self.bid - 1) % 5, self.declarer]
        vulnerable = boards.vulnerable[rows, self.declarer % 2].astype(np.int64)
        made: Whole = _table()[vulnerable, self.risk, self.bid, taken]
        return np.where(self.declarer % 2 == 0, made, -made)


def imps(differences: Whole) -> Whole:
    """Return the IMPs, -24 to 24, of differences in points."""
    return np.sign(differences) * imps_of(np.abs(differences).astype(np.float64))


@lru_cache(maxsize=1)
def _table() -> Whole:
    return risks_table()
