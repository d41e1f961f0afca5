"""The bot that bids the natural system."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot


class NaturalBot(BaselineBot):
    """A bidder of Standard American.

    The system has five-card majors, a strong notrump, a strong 2C, weak twos, Stayman, transfers,
    key-card Blackwood, takeout and negative doubles. It is written as tables of rules, which
    explain its calls too. The bot plays cards as `baseline` does.
    """

    name = "natural"

    def __init__(self) -> None:
        super().__init__(bidding="natural")
