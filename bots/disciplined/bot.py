"""The bot that bids `natural`'s system with learned judgement."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.disciplined.net import WorthNet
from bridge_arena.bots.disciplined.system import Disciplined
from bridge_arena.bots.library.learning.arrays import SHIPPED, read_named


class DisciplinedBot(BaselineBot):
    """A bidder of Standard American that keeps to its convention card, as a good partner does.

    Where the card of `natural` leaves a choice, a network judges which call to make. It has learned
    from what the calls led to in auctions that were bid to their ends, scored double dummy. All
    calls mean what `natural` says. The bot plays cards as `baseline` does.

    Args:
        weights: A file that `arena train disciplined` has made, or `shipped`.
    """

    name = "disciplined"

    def __init__(self, weights: str = SHIPPED) -> None:
        super().__init__(bidding="disciplined")
        if weights != SHIPPED:
            self.system = Disciplined(read_named(weights, WorthNet.read))
