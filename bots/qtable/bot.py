"""The bot that bids by the learned table."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.learning.arrays import SHIPPED, read_named
from bridge_arena.bots.qtable.bidding_table import BiddingTable
from bridge_arena.bots.qtable.system import QTable


class QTableBot(BaselineBot):
    """A bidder that follows tables of values that two hands have learned together.

    It does so (after Prorok, Large Scale Q-tables) while the opponents pass; when they bid, it bids
    as `natural` does. It plays cards as `baseline` does.

    Args:
        weights: A file that `arena train qtable` has made, or `shipped`.
    """

    name = "qtable"

    def __init__(self, weights: str = SHIPPED) -> None:
        super().__init__(bidding="qtable")
        if weights != SHIPPED:
            self.system = QTable(read_named(weights, BiddingTable.read))
