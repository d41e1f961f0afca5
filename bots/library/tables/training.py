"""Training of the estimate of double-dummy tables, with torch.

Solved deals teach the odds by their likelihood. Suits that change places change nothing in the
network, and any seat may come first, so a deal stands for 96.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from bridge_arena.bots.library.learning.descent import Trainer, adamw, weights_of
from bridge_arena.bots.library.learning.device import tensor
from bridge_arena.bots.library.many_auctions.boards import Boards, Tricks, drawn, in_turn
from bridge_arena.bots.library.tables.net import (
    HEADS,
    INPUTS,
    OUTPUTS,
    SMALL,
    TRICKS,
    TablesNet,
    suits_of,
)
from bridge_arena.oracle.solved_deals import SolvedDeals

EVERY = 500
"""Steps between two rows of the curve, and between two checkpoints."""


class Tables(nn.Module):
    """The network from suits, n×4×4×13, to logits of tricks, as the table stands."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.suit = nn.Linear(INPUTS, width)
        self.notrump = nn.Parameter(torch.zeros(width))
        self.layers = nn.ModuleList(_Layer(width) for _ in range(layers))
        self.out = nn.Linear(width, OUTPUTS)

    def forward(self, suits: Tensor) -> Tensor:
        """Return the logits, n×5×4×14."""
        number = len(suits)
        notrump = self.notrump.expand(number, 1, -1)
        x = torch.cat([self.suit(suits.reshape(number, 4, INPUTS)), notrump], dim=1)
        for layer in self.layers:
            x = layer(x)
        logits: Tensor = self.out(_even(x)).reshape(number, 5, 4, TRICKS)
        return logits


class _Layer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.looking = nn.Linear(width, 3 * width)
        self.seen = nn.Linear(width, width)
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        looking = self.looking(_even(x)).reshape(len(x), 5, 3, HEADS, -1)
        queries, keys, values = looking.permute(2, 0, 3, 1, 4)
        near = torch.softmax(queries @ keys.transpose(2, 3) * queries.shape[-1] ** -0.5, dim=-1)
        x = x + self.seen((near @ values).transpose(1, 2).reshape(x.shape))
        y: Tensor = x + self.narrow(torch.relu(self.wide(_even(x))))
        return y


def _even(x: Tensor) -> Tensor:
    return nn.functional.layer_norm(x, x.shape[-1:], eps=SMALL)


@dataclass(frozen=True, slots=True)
class TablesSettings:
    """The settings of the training; `width` and `layers` are those of `Tables`."""

    seed: int = 1
    steps: int = 8_000
    width: int = 96
    layers: int = 4
    batch: int = 256
    rate: float = 1.5e-3
    decay: float = 0.1
    average: float = 0.998
    """The share of the averaged weights that stays in a step."""


class TablesTrainer(Trainer[Tables]):
    """The network and the way it learns."""

    def __init__(self, settings: TablesSettings, solved: SolvedDeals, checked: SolvedDeals) -> None:
        torch.manual_seed(settings.seed)
        self._settings, self._solved = settings, solved
        self._shown = in_turn(checked)
        net = Tables(settings.width, settings.layers)
        decay, average = settings.decay, settings.average
        descent = adamw(net, settings.rate, decay, average, steps=settings.steps)
        super().__init__(descent, settings.seed)

    def loss(self, rng: np.random.Generator) -> Tensor:
        """See `Trainer`."""
        boards, tricks = drawn(self._solved, rng, self._settings.batch)
        logits = self.descent.net(tensor(suits_of(boards.hands)))
        target = tensor(tricks.astype(np.int64)).flatten()
        return nn.functional.cross_entropy(logits.reshape(-1, TRICKS), target)

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the loss, and how far the averaged network is from the tricks."""
        return means | _figures(self.descent.averaged, *self._shown)


def _figures(net: Tables, boards: Boards, tricks: Tricks) -> dict[str, float]:
    """Return how far the estimate is from the tricks: surprise is minus their mean log odds."""
    chances = TablesNet(weights_of(net)).chances(boards.hands)
    likely = np.take_along_axis(chances, tricks[..., None].astype(np.int64), axis=-1)
    off = chances @ np.arange(TRICKS, dtype=np.float32) - tricks
    return {
        "surprise": float(-np.log(likely.clip(min=1e-9)).mean()),
        "error": float(np.sqrt(np.square(off).mean())),
        "exact": float((chances.argmax(axis=-1) == tricks).mean()),
    }
