"""The bot that bids by deep Q-networks."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.deepq.system import Learned
from bridge_arena.bots.library.learning.arrays import SHIPPED, read_named


class DeepQBot(BaselineBot):
    """A bidder that follows deep Q-networks as long as the opponents pass.

    When the opponents compete it bids as `natural` does. It plays cards as `baseline` does.

    Args:
        worlds: How many hands of partner a bid is tried with, 20 or more; with 0 the networks
            decide alone.
        weights: A file that `arena train deepq` has made, or `shipped`.
    """

    name = "deepq"

    def __init__(self, worlds: int = 0, weights: str = SHIPPED) -> None:
        super().__init__(bidding="deepq")
        if weights != SHIPPED:
            self.system = read_named(weights, lambda path: Learned(worlds, path))
        elif worlds:
            self.system = Learned(worlds)
