"""A learned table as declarer of fast games, which counts what of them it knows."""

from __future__ import annotations

from random import Random

from bridge_arena.bots.library.minibridge.game import Game, any_of
from bridge_arena.bots.library.minibridge.states import Seen, as_seen, state_of
from bridge_arena.bots.qplay.learning import Values, best_card


class TablePlayer:
    """Plays the card of the highest value; a random one where no legal card has one, as in the
    paper. `asked`: its cards so far; `known`: those in states that the table has; `decided`:
    those that it chose."""

    def __init__(self, values: Values, hands: Seen) -> None:
        self._values = values
        self._hands = hands
        self.asked = self.known = self.decided = 0

    def __call__(self, game: Game, rng: Random) -> int:
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
