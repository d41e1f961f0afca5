"""Games to learn from: a random declarer's, those kept that it won (Hadjur 2018, algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.minibridge.contracts import MiniDeal, random_deal
from bridge_arena.bots.library.minibridge.defence import DEFENCES, Defence
from bridge_arena.bots.library.minibridge.game import Game, any_of
from bridge_arena.bots.library.minibridge.states import state_of

Kept = Literal["won", "all"]
"""Which games are learned from: those that declarer won, or all."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as declarer's side saw it. `number`: in the stream of its seed; `states`, with the
    hands, `legal`, the cards that might be played, as sets, and `cards`, those that were:
    26 each, dummy's among them; `margin`: tricks above the contract, negative where it was lost."""

    number: int
    deal: MiniDeal
    states: list[int]
    legal: list[int]
    cards: list[int]
    margin: int


@dataclass(frozen=True, slots=True)
class Games:
    """Games as arrays: of n, `states` and `legal` uint64 n×26, `cards` uint8 n×26, `margins`
    int8 n, `deals`, the hands by place, uint64 n×4, and `targets` int8 n; `tried`: the games
    that were played to have them."""

    states: NDArray[np.uint64]
    legal: NDArray[np.uint64]
    cards: NDArray[np.uint8]
    margins: NDArray[np.int8]
    deals: NDArray[np.uint64]
    targets: NDArray[np.int8]
    tried: int

    def __len__(self) -> int:
        return len(self.margins)

    @classmethod
    def of(cls, games: list[PlayedGame]) -> Games:
        return cls(
            np.array([game.states for game in games], np.uint64),
            np.array([game.legal for game in games], np.uint64),
            np.array([game.cards for game in games], np.uint8),
            np.array([game.margin for game in games], np.int8),
            np.array([game.deal.hands for game in games], np.uint64),
            np.array([game.deal.target for game in games], np.int8),
            games[-1].number + 1 if games else 0,
        )


def stream(seed: int, number: int) -> Random:
    """The random numbers of a game, of 2**32 - 1 games of each of 2**32 seeds."""
    # Two words of 32 bits, neither of them the last one if it is 0: Python mixes keys of one
    # word as it does some of two.
    return Random(number + 1 << 32 | seed)


def random_games(
    seed: int, defence: Defence = "follow", kept: Kept = "won", start: int = 0
) -> Iterator[PlayedGame]:
    """The games of a seed from number `start` on, without end."""
    for number in count(start):
        game = random_game(seed, number, defence)
        if game.margin >= 0 or kept == "all":
            yield game


def random_game(seed: int, number: int, defence: Defence) -> PlayedGame:
    """A game of a seed: its deal, a random declarer, rule-based defenders."""
    rng = stream(seed, number)
    deal = random_deal(rng)
    defend = DEFENCES[defence]
    game = Game(deal.hands)
    states: list[int] = []
    choices: list[int] = []
    cards: list[int] = []
    while not game.is_over:
        if game.turn & 1:
            game.play(defend(game, rng))
            continue
        legal = game.legal()
        card = any_of(legal, rng)
        states.append(state_of(game))
        choices.append(legal)
        cards.append(card)
        game.play(card)
    return PlayedGame(number, deal, states, choices, cards, game.won - deal.target)
