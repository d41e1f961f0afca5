"""Training of Hadjur's Q-network, with torch, from games played in advance (Mnih et al., 2015).

All steps of the games are replayed in random order. The target of a card is its reward plus the
value of the best legal card of the next state, by averaged weights in place of a target network.
The paper gives neither layers nor rates, so common ones are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bridge_arena.bots.library.learning.descent import Descent, rise_and_fall
from bridge_arena.bots.library.learning.device import array, tensor
from bridge_arena.bots.library.minibridge import Defence, Kept
from bridge_arena.bots.library.minibridge.games import random_games
from bridge_arena.bots.qplay.learning import Reward, When
from research.papers.hadjur_games import Games
from research.papers.hadjur_net import FEATURES, QNet, features

_LOW = -1e9
"""The value of a card that is not legal."""


@dataclass(frozen=True, slots=True)
class NetSettings:
    """The settings of the training.

    `bots.qplay.learning` explains the values of `reward` and `when`.
    """

    seed: int = 1  # the seed of the games and of the training
    games: int = 1_000  # how many games are learned from
    steps: int = 5_000  # how many steps the optimizer takes
    width: int = 128  # the units of each hidden layer
    batch: int = 64  # the steps of games in one step of the optimizer
    rate: float = 1e-3  # the learning rate
    average: float = 0.99  # the share of the averaged weights that stays in a step
    discount: float = 0.9  # the discount of the value of the next state
    reward: Reward = "above"  # what a game is rewarded for
    when: When = "every"  # which of a game's steps are rewarded
    kept: Kept = "won"  # which games are kept
    defence: Defence = "follow"  # how the defenders of the games play


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of games, n in all."""

    states: NDArray[np.uint64]
    cards: NDArray[np.int64]  # the cards played in them, n
    rewards: NDArray[np.float32]
    after: NDArray[np.uint64]  # the next states, n; 0 after the last card of a game
    # The legal cards of the next states, n×52; none after the last card of a game.
    legal: NDArray[np.bool_]

    @classmethod
    def of(cls, games: Games, reward: Reward, when: When) -> Steps:
        """Return the steps of games."""
        worth = np.repeat(games.margins[:, None] + (reward == "made"), 26, axis=1)
        if when == "end":
            worth[:, :-1] = 0
        after, legal = np.zeros_like(games.states), np.zeros_like(games.legal)
        after[:, :-1], legal[:, :-1] = games.states[:, 1:], games.legal[:, 1:]
        bits = legal.reshape(-1, 1) >> np.arange(52, dtype=np.uint64) & np.uint64(1)
        return cls(
            games.states.ravel(),
            games.cards.ravel().astype(np.int64),
            worth.ravel().astype(np.float32),
            after.ravel(),
            bits.astype(np.bool_),
        )

    def __len__(self) -> int:
        return len(self.states)


class Trainer:
    """The network and the way it learns."""

    def __init__(self, settings: NetSettings, steps: Steps) -> None:
        torch.manual_seed(settings.seed)
        self._settings = settings
        self._steps = steps
        width = settings.width
        net = nn.Sequential(
            nn.Linear(FEATURES, width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
            nn.Linear(width, 52),
        )
        self.descent = Descent(
            net,
            torch.optim.Adam(net.parameters(), settings.rate),
            rise_and_fall(settings.steps, 0.05),
            longest=1.0,
            keep=settings.average,
        )

    def learn(self) -> float:
        """Take one step of the optimizer and return the loss."""
        # Each step has its own random numbers, so a resumed run repeats the same steps.
        rng = np.random.default_rng([self._settings.seed, self.descent.done])
        every = self._steps
        rows = rng.integers(len(every), size=self._settings.batch)
        target = tensor(every.rewards[rows]) + self._settings.discount * self._future(rows)
        values = self.descent.net(tensor(features(every.states[rows])))
        played = values.gather(1, tensor(every.cards[rows])[:, None])[:, 0]
        loss = nn.functional.smooth_l1_loss(played, target)
        self.descent.step(loss)
        return float(loss.detach())

    @torch.no_grad()
    def _future(self, rows: NDArray[np.int64]) -> Tensor:
        """Return the value of the best legal card of the next states; 0 after the last card."""
        legal = self._steps.legal[rows]
        values = self.descent.averaged(tensor(features(self._steps.after[rows])))
        best = values.masked_fill(~tensor(legal), _LOW).amax(dim=1)
        found: Tensor = torch.where(
            tensor(np.any(legal, axis=1, keepdims=True))[:, 0], best, torch.zeros_like(best)
        )
        return found

    def weights(self) -> dict[str, NDArray[Any]]:
        """Return the averaged weights, as `QNet` has them."""
        return {name: array(each) for name, each in self.descent.averaged.state_dict().items()}

    def net(self) -> QNet:
        """Return the network in numpy."""
        return QNet(self.weights())


def made_games(settings: NetSettings) -> Games:
    """Return the games to learn from."""
    games = random_games(settings.seed, settings.defence, settings.kept)
    return Games.of(list(islice(games, settings.games)))
