"""The baseline: simple bidding, unless another system is asked for, and Liao's rules of play."""

from __future__ import annotations

from bridge_arena.bots.baseline.play import choose_card
from bridge_arena.bots.library.bidding_systems import BiddingBot
from bridge_arena.bridge.cards import Card
from bridge_arena.protocol.view import View


class BaselineBot(BiddingBot):
    """A player that takes a trick when it can and plays low otherwise.

    The rules of play are those of Liao (Give Me a Hand, section 4).

    Args:
        bidding: The bidding system.
    """

    name = "baseline"

    def play(self, view: View) -> Card:
        return choose_card(view, self.rng)
