"""Hadjur's learning of declarer play: Q-learning and SARSA in nested hash tables (2018, 4.3).

A game is learned from its first card to its last. What he leaves open is set by `QPlaySettings`: he
feeds each step with the game's reward (algorithm 2) and says that reward is "always given at
the end of the playing phase"; ten tricks in 3NT are worth 1 × constant, by which nine, which
win too, are worth nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bridge_arena.bots.library.minibridge.defence import Defence
from bridge_arena.bots.library.minibridge.games import Kept
from bridge_arena.bots.library.minibridge.states import Seen

Rule = Literal["qlearning", "sarsa"]
Reward = Literal["above", "made"]
"""Of a game: the tricks above the contract, as in his example; or one more, so that a contract
that is just made is worth something."""

When = Literal["every", "end"]
"""Which steps of a game are fed with its reward: every one, or the last."""

Values = dict[int, dict[int, float]]
"""The Q-table: the values of the cards that were learned, by state."""


@dataclass(frozen=True, slots=True)
class QPlaySettings:
    """How a table is learned, as in the paper if nothing else is said. `spread`: the share of
    the reward that a card's neighbours in its suit learn, its square for those next to them; 0
    for none."""

    rule: Rule = "qlearning"
    hands: Seen = "known"
    rate: float = 0.3
    discount: float = 0.9
    spread: float = 0.8
    reward: Reward = "above"
    when: When = "every"
    kept: Kept = "won"
    defence: Defence = "follow"


class Learner:
    """A Q-table in the making."""

    def __init__(self, settings: QPlaySettings) -> None:
        self.settings = settings
        self.values: Values = {}
        # How often each state was learned.
        self.visits: dict[int, int] = {}
        self._neighbours = [_neighbours(card, settings.spread) for card in range(52)]

    def learn(self, states: Sequence[int], cards: Sequence[int], margin: int) -> None:
        """One game, its steps in their order. `states`: as the agent sees them; `margin`:
        tricks above the contract."""
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
            for each, share in self._neighbours[card]:
                before = row.get(each, 0.0)
                row[each] = before + settings.rate * (share * reward + future - before)


def _neighbours(card: int, spread: float) -> list[tuple[int, float]]:
    """A card and those that learn with it, each with its share of the reward."""
    suit = card - card % 13
    others = [
        (card + away, spread ** abs(away))
        for away in (-1, 1, -2, 2)
        if spread and suit <= card + away < suit + 13
    ]
    return [(card, 1.0), *others]


def merged(tables: Iterable[Values]) -> Values:
    """Tables combined: the mean of each value over the tables that know it."""
    sums: dict[int, dict[int, tuple[float, int]]] = {}
    for table in tables:
        for state, row in table.items():
            into = sums.setdefault(state, {})
            for card, value in row.items():
                total, number = into.get(card, (0.0, 0))
                into[card] = total + value, number + 1
    return {
        state: {card: total / number for card, (total, number) in row.items()}
        for state, row in sums.items()
    }


def best_card(row: dict[int, float], legal: int) -> int | None:
    """The legal card of the highest value, of equals the highest card; None where no legal
    card has one. `legal`: a set."""
    best: int | None = None
    for card, value in row.items():
        if legal >> card & 1 and (best is None or (value, card) > (row[best], best)):
            best = card
    return best
