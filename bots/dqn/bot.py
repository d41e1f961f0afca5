"""The Q-network as a bot."""

from __future__ import annotations

from bridge_arena.bots.dqn.net import QNet, shipped
from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.learning.files import SHIPPED, told_to_read
from bridge_arena.bots.library.minibridge.declarer import DeclarerBot


class DqnBot(DeclarerBot):
    """Declares at notrump by a deep Q-network that has learned from games of a random declarer
    (after Hadjur, 2018, section 5.2.2; what ships from lost games too, and looking at no next
    state, see its record). As a defender and in suit contracts it plays cards as `baseline` does;
    it bids as `baseline` does too.

    `weights`: a file that `arena train dqn` has made, or `shipped`. `bidding`: the bidding
    system.
    """

    name = "dqn"

    def __init__(self, weights: str = SHIPPED, bidding: SystemName = "simple") -> None:
        super().__init__(bidding)
        self._net = shipped() if weights == SHIPPED else told_to_read(weights, QNet.read)

    def learned_card(self, state: int, legal: int) -> int | None:
        # A network has a value for every card, so a lone one needs no thought.
        return self._net.best(state, legal) if legal & legal - 1 else None
