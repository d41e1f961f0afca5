"""The baseline: simple bidding, unless told otherwise, and Liao's rules for the play."""

from __future__ import annotations

from bridge_arena.bots.baseline.play import choose_card
from bridge_arena.bots.library.bidding_systems import BiddingBot, SystemName
from bridge_arena.bridge.cards import Card
from bridge_arena.protocol.view import View


class BaselineBot(BiddingBot):
    """Takes a trick when it can, else plays low (Liao, Give Me a Hand, section 4).

    `bidding`: the bidding system.
    """

    name = "baseline"

    def __init__(self, bidding: SystemName = "simple") -> None:
        super().__init__(bidding)

    def play(self, view: View) -> Card:
        return choose_card(view, self.rng)
