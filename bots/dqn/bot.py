"""The bot that declares by the deep Q-network."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bridge_arena.bots.dqn.games import ANY_HAND
from bridge_arena.bots.fastplay.net import PlayNet, positions_of
from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.learning.arrays import SHIPPED, read_named, read_shipped
from bridge_arena.bots.library.minibridge.declarer import DeclarerBot
from bridge_arena.bridge.cards import CARDS, Card
from bridge_arena.protocol.view import View

_HANDS_SHOWN = np.broadcast_to(ANY_HAND, (4, *ANY_HAND.shape))


class DqnBot(DeclarerBot):
    """A declarer at notrump that plays by a deep Q-network.

    The network has learned by Q-learning from notrump games of its own, against defenders who take
    a trick when they are sure of it. It sees both hands, the trick and all cards played before. As
    a defender and in suit contracts the bot plays cards as `baseline` does. It bids as `baseline`
    does too.

    Args:
        weights: A file that `arena train dqn` has made, or `shipped`.
        bidding: The bidding system.
    """

    name = "dqn"

    def __init__(self, weights: str = SHIPPED, bidding: SystemName = "simple") -> None:
        super().__init__(bidding)
        self._net = shipped() if weights == SHIPPED else read_named(weights, PlayNet.read)

    def learned_card(self, view: View) -> Card:
        """Return the card that costs the fewest tricks."""
        legal = np.zeros((1, 52), np.bool_)
        legal[0, list(view.legal_cards())] = True
        return CARDS[int(self._net.cheapest(positions_of([view], [_HANDS_SHOWN]), legal)[0])]


@lru_cache(maxsize=1)
def shipped() -> PlayNet:
    """Return the network that ships."""
    return read_shipped("bridge_arena.bots.dqn", PlayNet.read)
