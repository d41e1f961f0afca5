"""Games as arrays, and tables of values combined: what only Hadjur's experiments need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.minibridge import HandsKnown
from bridge_arena.bots.library.minibridge.games import WITHOUT_HANDS, PlayedGame
from bridge_arena.bots.qplay.learning import Values


def all_without_unknown(states: NDArray[np.uint64], hands: HandsKnown) -> NDArray[np.uint64]:
    """Return an array of states, without the hands if they are unknown."""
    return states if hands == "known" else states & np.uint64(WITHOUT_HANDS)


@dataclass(frozen=True, slots=True)
class Games:
    """n games as arrays."""

    states: NDArray[np.uint64]  # the states, with the hands, n×26
    legal: NDArray[np.uint64]  # the sets of legal cards, n×26
    cards: NDArray[np.uint8]  # the cards that were played, n×26
    margins: NDArray[np.int8]  # the tricks above the contract, n
    deals: NDArray[np.uint64]  # the hands by place, n×4
    targets: NDArray[np.int8]  # the tricks that declarer needed, n
    tried: int  # the number of games that were played to get these

    def __len__(self) -> int:
        return len(self.margins)

    @classmethod
    def of(cls, games: list[PlayedGame]) -> Games:
        """Return a list of games as arrays."""
        return cls(
            np.array([game.states for game in games], np.uint64),
            np.array([game.legal for game in games], np.uint64),
            np.array([game.cards for game in games], np.uint8),
            np.array([game.margin for game in games], np.int8),
            np.array([game.deal.hands for game in games], np.uint64),
            np.array([game.deal.target for game in games], np.int8),
            games[-1].number + 1 if games else 0,
        )


def merged(tables: Iterable[Values]) -> Values:
    """Return tables combined: the mean of each value over the tables that know it."""
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
