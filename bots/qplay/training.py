"""Training of a Q-table in a folder: games are made and learned one by one."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np

from bridge_arena.bots.library.learning.arrays import Arrays, write_arrays
from bridge_arena.bots.library.minibridge.games import (
    TESTED,
    deals_to_test,
    margins,
    random_games,
    without_unknown,
)
from bridge_arena.bots.qplay.card_table import CardTable
from bridge_arena.bots.qplay.learning import Learner, QPlaySettings, TablePlayer

EVERY = 1000
"""Games between two rows of the curve, and between two checkpoints."""


class QPlayTrainer:
    """A learner and its place in the games of its seed; `done` counts those learned."""

    def __init__(self, settings: QPlaySettings, seed: int, games: int, least: int) -> None:
        self.learner = Learner(settings)
        self.done = 0
        self._seed, self._games = seed, games
        # States that were learned less often than this are left out of the result.
        self._least = least
        self._next = 0  # the number of the next game to try

    def learn(self) -> dict[str, float]:
        """Learn from the games up to the next row of the curve."""
        settings = self.learner.settings
        games = min(EVERY - self.done % EVERY, self._games - self.done)
        for game in islice(
            random_games(self._seed, settings.defence, settings.kept, self._next), games
        ):
            states = [without_unknown(state, settings.hands) for state in game.states]
            self.learner.learn(states, game.cards, game.margin)
            self._next = game.number + 1
            self.done += 1
        return {}

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the share of test contracts made, and of cards played in known states."""
        settings = self.learner.settings
        player = TablePlayer(self.learner.values, settings.hands)
        above = margins(deals_to_test(TESTED), player, settings.defence, self._seed)
        won = float((above >= 0).mean())
        return {**means, "won": won, "known": player.known / player.cards}

    def write(self, path: Path) -> None:
        """Write everything that is known, exactly."""
        learner = self.learner
        table = CardTable.of(learner.values, learner.settings.hands)
        visits = [learner.visits[state] for state in table.states.tolist()]
        place = np.array([self.done, self._next])
        kept = {"visits": np.array(visits, np.int64), "place": place}
        write_arrays(path, table.arrays() | kept)

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""
        table = CardTable.read(path)
        arrays = Arrays(path)
        self.done, self._next = arrays.numbers("place", 2).tolist()
        visits = arrays.numbers("visits", len(table.states)).tolist()
        self.learner.values = table.nested()
        self.learner.visits = dict(zip(table.states.tolist(), visits, strict=True))

    def write_weights(self, path: Path) -> None:
        """Write the table of the states that were learned often enough."""
        learner = self.learner
        often = {
            state: row
            for state, row in learner.values.items()
            if learner.visits[state] >= self._least
        }
        CardTable.of(often, learner.settings.hands).write(path)
