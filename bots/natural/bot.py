"""The natural bidder as a bot."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot


class NaturalBot(BaselineBot):
    """Bids Standard American: five-card majors, strong notrump, strong 2C, weak twos,
    Stayman, transfers, key-card Blackwood, takeout and negative doubles. The system is
    tables of rules, which explain its calls too. Plays cards as `baseline` does."""

    name = "natural"

    def __init__(self) -> None:
        super().__init__(bidding="natural")
