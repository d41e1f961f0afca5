"""The learned table as a bot."""

from __future__ import annotations

from bots.baseline.bot import BaselineBot


class QTableBot(BaselineBot):
    """Bids by tables of values that two hands learned together (after Prorok, Large Scale
    Q-tables), while the opponents pass; as `natural` does when they do not. Plays cards as
    `baseline` does."""

    name = "qtable"

    def __init__(self) -> None:
        super().__init__(bidding="qtable")
