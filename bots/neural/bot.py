"""The bot that bids by the learned networks."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.learning.arrays import SHIPPED, read_named
from bridge_arena.bots.neural.net import Nets
from bridge_arena.bots.neural.system import Neural


class NeuralBot(BaselineBot):
    """A bidder that follows networks trained by imitation of `natural`, then by self-play.

    The self-play was scored double dummy. The bot plays cards as `baseline` does.

    Args:
        weights: A file that `arena train neural` has made, or `shipped`.
    """

    name = "neural"

    def __init__(self, weights: str = SHIPPED) -> None:
        super().__init__(bidding="neural")
        if weights != SHIPPED:
            self.system = Neural(read_named(weights, Nets.read))
