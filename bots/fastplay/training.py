"""Training of the network, with torch: it learns what cards cost, and which to choose.

The known costs are double dummy, with all hands seen. By least squares the network learns their
mean over the hands that fit what the player sees. The card that it finds cheapest is then the one
that Monte Carlo players find by solving such hands one by one (`bots.montecarlo`). But errors
matter most between the best cards. So it also learns to choose: to lose few tricks if each card is
chosen the more often the cheaper it is said to be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bridge_arena.bots.fastplay.net import INPUTS, PlayNet, features
from bridge_arena.bots.fastplay.plays import Plays
from bridge_arena.bots.library.learning.descent import Trainer, adamw
from bridge_arena.bots.library.learning.device import array, quickly, tensor
from bridge_arena.bots.library.learning.suit_modules import Mix, SuitTrunk

EVERY = 500  # steps between two rows of the curve, and between two checkpoints
_AT_ONCE = 2000  # positions that are measured at a time


@dataclass(frozen=True, slots=True)
class FastPlaySettings:
    """The settings of the training."""

    seed: int = 1
    steps: int = 20_000  # how many steps the optimizer takes
    batch: int = 512  # the positions of a step
    choices: float = 2.0  # how much the tricks lost by choices count, beside the squared error
    temperature: float = 0.1  # a card that is said to cost so much more is chosen a third as often
    rate: float = 2e-4  # the learning rate
    decay: float = 0.05  # the weight decay
    average: float = 0.999  # the share of the averaged weights that stays in a step


class PlayModule(SuitTrunk):
    """The network of card costs, n×4×13 from the top of each suit, for torch."""

    def __init__(self, width: int, deep: int) -> None:
        super().__init__(INPUTS, width, deep)
        self.cards = Mix(width, 13)

    @classmethod
    def of(cls, net: PlayNet) -> PlayModule:
        """Return the same network for torch."""
        module = cls(net.width, net.deep)
        module.load_state_dict({name: tensor(weight) for name, weight in net.weights.items()})
        return module

    def forward(self, x: Tensor) -> Tensor:
        costs: Tensor = self.cards(self.trunk(x))
        return costs.float()


@dataclass(frozen=True, slots=True)
class Decisions:
    """Boards, and the decisions in them that were looked at."""

    plays: Plays
    which: NDArray[np.int64]  # the board and the place of each decision, m×2

    @classmethod
    def of(cls, plays: Plays) -> Decisions:
        """Return the boards with all their decisions of known cost."""
        return cls(plays, np.argwhere((plays.losses >= 0).any(axis=2)))

    def shown(self, chosen: NDArray[np.integer]) -> tuple[Tensor, Tensor]:
        """Return what the network reads of decisions, and what the cards cost there, n×4×13."""
        board, place = self.which[chosen].T
        plays = self.plays.rows(board)
        read = features(plays.positions(place))
        lost = read.by_place(plays.costs(place))
        return tensor(read.suits), tensor(np.ascontiguousarray(lost))


class PlayTrainer(Trainer[PlayModule]):
    """The network, which begins as `start`; the curve is measured on the boards `checked`."""

    def __init__(
        self, settings: FastPlaySettings, start: PlayNet, plays: Plays, checked: Plays
    ) -> None:
        self._settings = settings
        self._known, self._held_back = Decisions.of(plays), Decisions.of(checked)
        net = PlayModule.of(start)
        decay, average = settings.decay, settings.average
        descent = adamw(net, settings.rate, decay, average, steps=settings.steps)
        super().__init__(descent, settings.seed)

    def loss(self, rng: np.random.Generator) -> Tensor:
        known = self._known
        shown, lost = known.shown(rng.integers(len(known.which), size=self._settings.batch))
        with quickly():
            costs = self.descent.net(shown)
        settings = self._settings
        by_choices = _lost_by_choices(costs, lost, settings.temperature)
        return _squared_error(costs, lost) + settings.choices * by_choices

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the loss, and what the choices of the averaged network cost."""
        return means | figures(self.descent.averaged, self._held_back)


def _squared_error(costs: Tensor, lost: Tensor) -> Tensor:
    """Return the squared error: its mean over the cards of a decision, then over decisions."""
    looked_at = (lost >= 0).float()
    errors = ((costs - lost).square() * looked_at).sum(dim=(1, 2))
    return (errors / looked_at.sum(dim=(1, 2))).mean()


def _lost_by_choices(costs: Tensor, lost: Tensor, temperature: float) -> Tensor:
    """Return the tricks lost by a decision if cards are chosen by what they are said to cost."""
    is_known = lost >= 0
    worth = (-costs / temperature).masked_fill(~is_known, -torch.inf)
    chances = worth.flatten(1).softmax(dim=1)
    return (chances * (lost * is_known).flatten(1)).sum(dim=1).mean()


@torch.no_grad()
def figures(net: Callable[[Tensor], Tensor], known: Decisions) -> dict[str, float]:
    """Return the squared error as `error`, and what the cards that seem cheapest cost.

    These are the tricks lost on average by `lead`, `declarer` and `defence`.
    """
    errors: list[float] = []
    paid: list[NDArray[np.float32]] = []
    for start in range(0, len(known.which), _AT_ONCE):
        chosen = np.arange(start, min(start + _AT_ONCE, len(known.which)))
        shown, lost = known.shown(chosen)
        costs = net(shown)
        errors.append(float(_squared_error(costs, lost)) * len(chosen))
        cheapest = costs.masked_fill(lost < 0, torch.inf).flatten(1).argmin(dim=1, keepdim=True)
        paid.append(array(lost.flatten(1).gather(1, cheapest)[:, 0]))
    lost_by_choice = np.concatenate(paid)
    board, place = known.which.T
    turn = known.plays.owner[board, known.plays.cards[board, place]]
    of_lead = lost_by_choice[place == 0]
    return {
        "error": sum(errors) / len(known.which),
        "lead": float(of_lead.mean()) if len(of_lead) else float("nan"),
        "declarer": float(lost_by_choice[turn % 2 == 0].mean()),
        "defence": float(lost_by_choice[(turn % 2 == 1) & (place > 0)].mean()),
    }
