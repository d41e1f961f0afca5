"""The network as declarer of fast games."""

from __future__ import annotations

from random import Random

from bridge_arena.bots.dqn.net import QNet
from bridge_arena.bots.library.minibridge.game import Game
from bridge_arena.bots.library.minibridge.states import state_of


class NetPlayer:
    """A player that plays the legal card of the highest value.

    Args:
        net: The network that values the cards.
    """

    def __init__(self, net: QNet) -> None:
        self._net = net

    def __call__(self, game: Game, _: Random) -> int:
        """Return the legal card of the highest value."""
        return self._net.best(state_of(game), game.legal())
