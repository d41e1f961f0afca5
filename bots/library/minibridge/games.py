"""Games to learn from: those that a random declarer won (Hadjur 2018, algorithm 1), or all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from random import Random

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.minibridge import Defence, Kept
from bridge_arena.bots.library.minibridge.contracts import MiniDeal, random_deal
from bridge_arena.bots.library.minibridge.defence import DEFENCES
from bridge_arena.bots.library.minibridge.game import Game, any_of
from bridge_arena.bots.library.minibridge.states import state_of


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as declarer's side saw it.

    Attributes:
        number: The number of the game in the stream of its seed.
        deal: The deal.
        states: The states, with the hands, before the 26 cards of declarer and dummy.
        legal: The sets of cards that might be played, 26.
        cards: The cards that were played, 26.
        margin: The tricks above the contract, negative if it was lost.
    """

    number: int
    deal: MiniDeal
    states: list[int]
    legal: list[int]
    cards: list[int]
    margin: int


@dataclass(frozen=True, slots=True)
class Games:
    """n games as arrays.

    Attributes:
        states: The states, with the hands, n×26.
        legal: The sets of legal cards, n×26.
        cards: The cards that were played, n×26.
        margins: The tricks above the contract, n.
        deals: The hands by place, n×4.
        targets: The tricks that declarer needed, n.
        tried: The number of games that were played to get these.
    """

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


def stream(seed: int, number: int) -> Random:
    """Return the random numbers of a game, one of 2**32 - 1 games of each of 2**32 seeds."""
    # The upper word of 32 bits is never 0: Python would then mix the key as one of a single
    # word, and that gives the same numbers as some keys of two words.
    return Random(number + 1 << 32 | seed)


def random_games(
    seed: int, defence: Defence = "follow", kept: Kept = "won", start: int = 0
) -> Iterator[PlayedGame]:
    """Yield the games of a seed without end.

    Args:
        seed: The seed.
        defence: How the defenders play.
        kept: Which games are yielded.
        start: The number of the first game.

    Yields:
        The games in the order of their numbers.
    """
    for number in count(start):
        game = random_game(seed, number, defence)
        if game.margin >= 0 or kept == "all":
            yield game


def random_game(seed: int, number: int, defence: Defence) -> PlayedGame:
    """Play a game of a seed with a random declarer and rule-based defenders.

    Args:
        seed: The seed.
        number: The number of the game in the stream of the seed.
        defence: How the defenders play.

    Returns:
        The game.
    """
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
