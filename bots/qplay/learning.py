"""Hadjur's learning of declarer play: Q-learning and SARSA in nested hash tables (2018, 4.3).

A game is learned from its first card to its last. `QPlaySettings` covers what he leaves open. He
gives the game's reward to each step (algorithm 2), but says that the reward is "always given at the
end of the playing phase". He values ten tricks in 3NT at 1 × constant; by this, nine tricks, which
make the contract too, are worth nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from bridge_arena.bots.library.minibridge import Defence, HandsKnown, Kept
from bridge_arena.bots.library.minibridge.game import Game, any_of
from bridge_arena.bots.library.minibridge.games import state_of, without_unknown

Rule = Literal["qlearning", "sarsa"]
Reward = Literal["above", "made"]
"""The reward of a game.

- `above`: the tricks above the contract, as in his example.
- `made`: one more, so that a contract that is just made is worth something.
"""

When = Literal["every", "end"]
"""The steps of a game that get its reward: every one, or the last."""

Values = dict[int, dict[int, float]]
"""The Q-table: the values of the cards that were learned, by state."""


@dataclass(frozen=True, slots=True)
class QPlaySettings:
    """The settings of the learning; unless said otherwise they are the paper's."""

    rule: Rule = "qlearning"
    hands: HandsKnown = "known"  # whether the states include the hands
    rate: float = 0.3
    discount: float = 0.9  # the discount of the value of the next state
    # The share of the reward that the neighbours of a card in its suit learn, and its square for
    # the next ones; 0 for none.
    spread: float = 0.8
    reward: Reward = "above"  # what a game is rewarded for
    when: When = "every"  # which of a game's steps are rewarded
    kept: Kept = "won"  # which games are kept
    defence: Defence = "follow"  # how the defenders of the games play


class Learner:
    """A Q-table that is being learned."""

    def __init__(self, settings: QPlaySettings) -> None:
        self.settings = settings
        self.values: Values = {}
        # The number of times that each state was learned.
        self.visits: dict[int, int] = {}
        self._neighbours = [_neighbours(card, settings.spread) for card in range(52)]

    def learn(self, states: Sequence[int], cards: Sequence[int], margin: int) -> None:
        """Learn from one game."""
        settings, values = self.settings, self.values
        worth = margin + (settings.reward == "made")
        last = len(cards) - 1
        for step, (state, card) in enumerate(zip(states, cards, strict=True)):
            reward = worth if step == last or settings.when == "every" else 0
            future = 0.0
            if step < last:
                known = values.get(states[step + 1])
                if known is not None:
                    if settings.rule == "qlearning":
                        future = settings.discount * max(known.values())
                    else:
                        future = settings.discount * known.get(cards[step + 1], 0.0)
            self.visits[state] = self.visits.get(state, 0) + 1
            row = values.get(state)
            if row is None:
                row = values[state] = {}
            for neighbour, share in self._neighbours[card]:
                before = row.get(neighbour, 0.0)
                row[neighbour] = before + settings.rate * (share * reward + future - before)


def _neighbours(card: int, spread: float) -> list[tuple[int, float]]:
    """Return a card and those that learn with it, each with its share of the reward."""
    suit = card - card % 13
    others = [
        (card + away, spread ** abs(away))
        for away in (-1, 1, -2, 2)
        if spread and suit <= card + away < suit + 13
    ]
    return [(card, 1.0), *others]


def best_card(row: dict[int, float], legal: int) -> int | None:
    """Return the legal card of the highest value, the highest of equals; None if none has one."""
    best: int | None = None
    for card, value in row.items():
        if legal >> card & 1 and (best is None or (value, card) > (row[best], best)):
            best = card
    return best


class TablePlayer:
    """A player of the card of the highest value, or as in the paper of a random one if none has.

    It counts its `cards`, those in states that the table has (`known`), and those that it chose.
    """

    def __init__(self, values: Values, hands: HandsKnown) -> None:
        self._values = values
        self._hands = hands
        self.cards = self.known = self.decided = 0

    def __call__(self, game: Game, rng: Random) -> int:
        """Return the card of the highest value, or a random legal card if none has one."""
        legal = game.legal()
        self.cards += 1
        row = self._values.get(without_unknown(state_of(game), self._hands))
        if row is not None:
            self.known += 1
            card = best_card(row, legal)
            if card is not None:
                self.decided += 1
                return card
        return any_of(legal, rng)
