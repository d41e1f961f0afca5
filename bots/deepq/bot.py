"""The learned bidder as a bot."""

from __future__ import annotations

from bots.baseline.bot import BaselineBot
from bots.deepq.system import Learned


class DeepQBot(BaselineBot):
    """Bids what deep Q-networks have learned as long as the opponents pass, and as `natural`
    does when they compete. Plays cards as `baseline` does.

    `worlds`: hands of partner that each bid is tried with; 0: the networks decide alone.
    """

    name = "deepq"

    def __init__(self, worlds: int = 0) -> None:
        if worlds < 0:
            raise ValueError(f"worlds is {worlds}, expected 0 or more")
        super().__init__(bidding="deepq")
        if worlds:
            self.system = Learned(worlds)
