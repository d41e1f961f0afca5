"""Training of the Q-network, with torch, from games that are made before (Mnih et al., 2015).

All steps of the games are replayed in random order. A card's target is the reward and what the
best legal card of the next state is worth, by averaged weights in place of a target network.
The paper tells neither layers nor rates, so these are plain ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bridge_arena.bots.dqn.net import WEIGHTS, QNet
from bridge_arena.bots.dqn.player import NetPlayer
from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.descent import Descent
from bridge_arena.bots.library.learning.device import array, tensor
from bridge_arena.bots.library.learning.rates import rise_and_fall
from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.library.minibridge.defence import Defence
from bridge_arena.bots.library.minibridge.games import Games, Kept, random_games
from bridge_arena.bots.library.minibridge.states import FEATURES, features
from bridge_arena.bots.library.minibridge.trial import TESTED, deals_to_test, margins
from bridge_arena.bots.qplay.learning import Reward, When

EVERY = 500
"""Steps between two rows of the curve, and two checkpoints."""

_LOW = -1e9
"""The value of a card that is not legal."""


@dataclass(frozen=True, slots=True)
class DqnSettings:
    """How the network is trained; what the names of `bots.qplay.learning` mean is told there.
    `average`: how much of the averaged weights stays in a step."""

    seed: int = 1
    games: int = 1_000
    steps: int = 5_000
    width: int = 128
    batch: int = 64
    rate: float = 1e-3
    average: float = 0.99
    discount: float = 0.9
    reward: Reward = "above"
    when: When = "every"
    kept: Kept = "won"
    defence: Defence = "follow"


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of games, n each: `states`, the `cards` played, the rewards, the next states and
    what is legal there, n×52; nothing after the last card."""

    states: NDArray[np.uint64]
    cards: NDArray[np.int64]
    rewards: NDArray[np.float32]
    after: NDArray[np.uint64]
    legal: NDArray[np.bool_]

    @classmethod
    def of(cls, games: Games, reward: Reward, when: When) -> Steps:
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
    """The network, and how it learns."""

    def __init__(self, settings: DqnSettings, steps: Steps) -> None:
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
        """One step of the optimizer; the loss."""
        # Each step has a stream of its own, so that a resumed run sees the same.
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
        """What the best legal card is worth in the next states; nothing after the last card."""
        legal = self._steps.legal[rows]
        values = self.descent.averaged(tensor(features(self._steps.after[rows])))
        best = values.masked_fill(~tensor(legal), _LOW).amax(dim=1)
        found: Tensor = torch.where(
            tensor(np.any(legal, axis=1, keepdims=True))[:, 0], best, torch.zeros_like(best)
        )
        return found

    def weights(self) -> dict[str, NDArray[Any]]:
        """The averaged ones, as `bots.dqn.net` reads them."""
        return {name: array(each) for name, each in self.descent.averaged.state_dict().items()}

    def net(self) -> QNet:
        """The network in numpy."""
        return QNet(self.weights())

    def won(self) -> float:
        """The share of the test deals that it makes."""
        settings, player = self._settings, NetPlayer(self.net())
        above = margins(deals_to_test(TESTED), player, settings.defence, settings.seed)
        return float((above >= 0).mean())


def made_games(settings: DqnSettings) -> Games:
    """Those that are learned from."""
    games = random_games(settings.seed, settings.defence, settings.kept)
    return Games.of(list(islice(games, settings.games)))


def train(run: TrainingRun, settings: DqnSettings, told: Callable[[int], None]) -> Path:
    """Train in a folder, going on where it was interrupted; the file of the weights.

    `told`: is told every step. Raises TrainingError, OSError.
    """
    games = made_games(settings)
    trainer = Trainer(settings, Steps.of(games, settings.reward, settings.when))
    descent = trainer.descent
    run.go_on(descent.read)
    told(descent.done)
    losses: list[float] = []
    while descent.done < settings.steps:
        losses.append(trainer.learn())
        told(descent.done)
        if descent.done % EVERY == 0 or descent.done == settings.steps:
            run.note(descent.done, loss=float(np.mean(losses)), won=trainer.won())
            losses = []
            run.save(descent.write)
    run.draw("Contracts that the network makes")
    weights = run.folder / WEIGHTS
    write_halved(weights, trainer.weights())
    return weights
