"""Bidding systems as partnerships that bid many boards: the field that a learner meets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.library.many_auctions.auctions import Auctions, Turns
from bridge_arena.bots.library.many_auctions.boards import Boards


class SystemCaller:
    """A bidding system as a `bots.library.many_auctions.bidding_matches.Caller`."""

    def __init__(self, name: SystemName = "natural") -> None:
        self._system = system(name)

    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        """Return the calls of the player whose turn it is."""
        dealers = np.zeros(len(boards), np.int64)
        turns = Turns(boards.hands[:, auctions.turn], auctions, boards.vulnerable, dealers)
        return turns.one_by_one(self._system.call)
