"""The bot that bids by deep Q-networks."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.deepq.system import Learned
from bridge_arena.bots.library.learning.arrays import SHIPPED, told_to_read


class DeepQBot(BaselineBot):
    """A bidder that follows deep Q-networks as long as the opponents pass.

    When the opponents compete it bids as `natural` does. It plays cards as `baseline` does.
    """

    name = "deepq"

    def __init__(self, worlds: int = 0, weights: str = SHIPPED) -> None:
        super().__init__(bidding="deepq")
        if weights != SHIPPED:
            self.system = told_to_read(weights, lambda path: Learned(worlds, path))
        elif worlds:
            self.system = Learned(worlds)
