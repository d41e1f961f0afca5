"""The learned bidder as a bot."""

from __future__ import annotations

from bots.baseline.bot import BaselineBot


class NeuralBot(BaselineBot):
    """Bids as networks do that learned by imitation of `natural`, then by self-play scored
    double dummy. Plays cards as `baseline` does."""

    name = "neural"

    def __init__(self) -> None:
        super().__init__(bidding="neural")
