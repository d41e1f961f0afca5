"""Par of many boards."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.library.many_auctions.boards import Boards, Tricks, vulnerability
from bridge_arena.bots.library.many_auctions.contracts import Whole
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import par


def pars(boards: Boards, tricks: Tricks) -> Whole:
    """Return par of solved boards, in points of the dealer's side."""
    found = np.zeros(len(boards), np.int64)
    for row in range(len(boards)):
        table = DoubleDummyTable(tuple(int(taken) for taken in tricks[row].reshape(-1)))
        vulnerable = vulnerability(*(bool(each) for each in boards.vulnerable[row]))
        found[row] = par(table, Seat.NORTH, vulnerable).score
    return found
