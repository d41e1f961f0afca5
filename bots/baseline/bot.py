"""The baseline: simple bidding, unless told otherwise, and Liao's rules for the play."""

from __future__ import annotations

from bots.baseline.play import choose_card
from bots.bidding import SystemName, system
from bots.client import Bot
from bridge.cards import Card
from bridge.record import MadeCall
from protocol.view import View


class BaselineBot(Bot):
    """Takes a trick when it can, else plays low (Liao, Give Me a Hand, section 4).

    `bidding`: the bidding system.
    """

    name = "baseline"

    def __init__(self, bidding: SystemName = "simple") -> None:
        super().__init__()
        self._system = system(bidding)

    def call(self, view: View) -> MadeCall:
        return self._system.choose(view.hand, view.auction, view.vulnerability)

    def play(self, view: View) -> Card:
        return choose_card(view, self.rng)
