"""A learned table as declarer of fast games, which counts the states that it knows."""

from __future__ import annotations

from random import Random

from bridge_arena.bots.library.minibridge import Seen
from bridge_arena.bots.library.minibridge.game import Game, any_of
from bridge_arena.bots.library.minibridge.states import as_seen, state_of
from bridge_arena.bots.qplay.learning import Values, best_card


class TablePlayer:
    """A player of the card of the highest value, or as in the paper of a random one if none has.

    Args:
        values: The table.
        hands: Whether the states include the hands.

    Attributes:
        asked: The number of its cards so far.
        known: The number of them in states that the table has.
        decided: The number of them that the table chose.
    """

    def __init__(self, values: Values, hands: Seen) -> None:
        self._values = values
        self._hands = hands
        self.asked = self.known = self.decided = 0

    def __call__(self, game: Game, rng: Random) -> int:
        """Return the card of the highest value, or a random legal card if none has one."""
        legal = game.legal()
        self.asked += 1
        row = self._values.get(as_seen(state_of(game), self._hands))
        if row is not None:
            self.known += 1
            card = best_card(row, legal)
            if card is not None:
                self.decided += 1
                return card
        return any_of(legal, rng)
