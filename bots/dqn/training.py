"""Training of the deep Q-network, with torch: Q-learning from the games that the network plays.

The cost of a card is the number of tricks that the defenders take from there on. The network plays
a lesson of games against the defenders `follow`, with some cards by chance, and learns from its
decisions; their targets come from its averaged weights, which stand still during a lesson, in place
of a target network (Mnih et al., 2015).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from bridge_arena.bots.dqn.games import Lesson, owners, played, random_deals
from bridge_arena.bots.fastplay.training import PlayModule
from bridge_arena.bots.library.learning.descent import Trainer, adamw
from bridge_arena.bots.library.learning.device import array, quickly, tensor
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.minibridge.games import TESTED, deals_to_test

LESSON = 512
"""The games of a lesson."""

PARTS = 20
"""The parts in which a lesson is learned, each a step of the optimizer."""

EVERY = 20
"""Lessons between two rows of the curve, and between two checkpoints."""


@dataclass(frozen=True, slots=True)
class DqnSettings:
    """The settings of the training; `width` and `deep` are those of `PlayModule`."""

    seed: int = 1
    lessons: int = 400
    """Lessons of `LESSON` games, played and then learned from."""
    width: int = 128
    deep: int = 2
    rate: float = 2e-3
    decay: float = 0.01
    average: float = 0.99
    """The share of the averaged weights that stays in a step."""
    exploration: float = 0.1
    """The probability of a card by chance."""
    share: float = 0.8
    """The share of the next card's target in a target; the rest is the next card's cost."""


class DqnTrainer(Trainer[PlayModule]):
    """The network and the way it learns."""

    def __init__(self, settings: DqnSettings) -> None:
        torch.manual_seed(settings.seed)
        self._settings = settings
        net = PlayModule(settings.width, settings.deep)
        decay, average = settings.decay, settings.average
        descent = adamw(
            net, settings.rate, decay, average, steps=settings.lessons * PARTS, rising=0.02
        )
        super().__init__(descent, settings.seed)

    @property
    def done(self) -> int:
        """The number of lessons learned."""
        return self.descent.done // PARTS

    def learn(self) -> dict[str, float]:
        """Play a lesson, learn from it and return the loss."""
        settings = self._settings
        # Each lesson has its own random numbers, so a resumed run repeats the same lessons.
        rng = np.random.default_rng([settings.seed, self.done])
        deals = random_deals(rng, LESSON)
        _, lesson = played(self._costs, deals, rng, settings.exploration, settings.share)
        losses = [
            self._step(lesson, rows)
            for rows in np.array_split(rng.permutation(len(lesson.card)), PARTS)
        ]
        return {"loss": float(np.mean(losses))}

    def _step(self, lesson: Lesson, rows: np.ndarray) -> float:
        with quickly():
            costs = self.descent.net(tensor(lesson.inputs[rows]))
        estimated = costs.flatten(1).gather(1, tensor(lesson.card[rows])[:, None])[:, 0]
        loss = torch.nn.functional.mse_loss(estimated, tensor(lesson.cost[rows]))
        self.descent.step(loss)
        return float(loss.detach())

    @torch.no_grad()
    def _costs(self, inputs: Array) -> Array:
        """Return the costs of cards by the averaged weights."""
        return array(self.descent.averaged(tensor(inputs)))

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the loss, the share of test contracts made, and the tricks above them."""
        deals = deals_to_test(TESTED)
        rng = np.random.default_rng(self._settings.seed)
        tricks, _ = played(self._costs, owners(deals), rng)
        above = tricks - [deal.target for deal in deals]
        return {**means, "won": float((above >= 0).mean()), "margin": float(above.mean())}
