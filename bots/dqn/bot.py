"""The bot that declares by the Q-network."""

from __future__ import annotations

from bridge_arena.bots.dqn.net import QNet, shipped
from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.learning.files import SHIPPED, told_to_read
from bridge_arena.bots.library.minibridge.declarer import DeclarerBot


class DqnBot(DeclarerBot):
    """A declarer at notrump that plays by a deep Q-network.

    The network has learned from games of a random declarer (after Hadjur, 2018, section 5.2.2). The
    one that ships has learned from lost games too, and without the value of the next state; see its
    record. As a defender and in suit contracts the bot plays cards as `baseline` does. It bids as
    `baseline` does too.

    Args:
        weights: A file that `arena train dqn` has made, or `shipped`.
        bidding: The bidding system.
    """

    name = "dqn"

    def __init__(self, weights: str = SHIPPED, bidding: SystemName = "simple") -> None:
        super().__init__(bidding)
        self._net = shipped() if weights == SHIPPED else told_to_read(weights, QNet.read)

    def learned_card(self, state: int, legal: int) -> int | None:
        """Return the card of the highest value, or None if only one card is legal."""
        # A single legal card needs no evaluation.
        return self._net.best(state, legal) if legal & legal - 1 else None
