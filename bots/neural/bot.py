"""The bot that bids by the learned networks."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.learning.arrays import SHIPPED, told_to_read
from bridge_arena.bots.neural.net import Nets
from bridge_arena.bots.neural.system import Neural


class NeuralBot(BaselineBot):
    """A bidder that follows networks trained by imitation of `natural`, then by self-play.

    The self-play was scored double dummy. The bot plays cards as `baseline` does.
    """

    name = "neural"

    def __init__(self, weights: str = SHIPPED) -> None:
        super().__init__(bidding="neural")
        if weights != SHIPPED:
            self.system = Neural(told_to_read(weights, Nets.read))
