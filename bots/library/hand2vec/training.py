"""Training of the vectors, with torch, by the tricks that two hands take.

It minimises the mean squared error with either partner as declarer, as Sztyber-Betley et al. do
(`bots.library.hand2vec.net`). Four things differ. A pair stands for all 24 orders of its suits,
drawn anew in each step, where the paper has the four rotations. The optimizer is SOAP (Vyas et al.,
SOAP: Improving and Stabilizing Shampoo using Adam, 2024), which needs a tenth of the steps of their
Adam. The rate rises and falls. The weights that are kept are an average of the last ones,
normalised over random hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from pytorch_optimizer import SOAP
from torch import Tensor, nn

from bridge_arena.bots.library.hand2vec.net import HIDDEN, MIDDLE, WIDTH
from bridge_arena.bots.library.learning.arrays import write_arrays
from bridge_arena.bots.library.learning.descent import Descent, Trainer, rise_and_fall
from bridge_arena.bots.library.learning.device import array, tensor
from bridge_arena.bots.library.learning.hands import (
    Hands,
    denominations_reordered,
    random_pairs,
    reordered,
    suit_orders,
)
from bridge_arena.bots.library.learning.run import measured_pairs
from bridge_arena.bots.library.tricks.data import Known
from bridge_arena.bots.library.tricks.net import TricksNet
from bridge_arena.bots.library.tricks.training import figures

EVERY = 500
"""Steps between two rows of the curve, and between two checkpoints."""

LEAST = 2
"""The fewest pairs to learn from: one pair has no spread to be normalised."""

CHUNK = 20_000
"""Pairs that are estimated at once, and hands that normalise the vectors."""


class Layers(nn.ModuleList):
    """Linear layers of the given widths, with ELU between them."""

    def __init__(self, *widths: int) -> None:
        super().__init__(nn.Linear(before, after) for before, after in pairwise(widths))

    def forward(self, x: Tensor) -> Tensor:
        """Return the output of the last layer."""
        for number, layer in enumerate(self):
            x = layer(nn.functional.elu(x) if number else x)
        return x


class Hand2Vec(nn.Module):
    """The network from pairs of hands, n×52 each, through their vectors to tricks, n×5×2."""

    def __init__(self, dimensions: int) -> None:
        super().__init__()
        self.embedding = Layers(52, HIDDEN, HIDDEN, dimensions)
        self.normal = nn.BatchNorm1d(dimensions, affine=False)
        self.tricks = Layers(2 * dimensions, WIDTH, WIDTH, 5)

    def forward(self, hands: Tensor, partners: Tensor) -> Tensor:
        """Return the tricks of pairs of hands, n×52, with either's owner as declarer, n×5×2."""
        # The vectors of all hands of a batch are normalised together.
        one, other = self.normal(self.embedding(torch.cat([hands, partners]))).chunk(2)
        orders = torch.cat([torch.cat([one, other], 1), torch.cat([other, one], 1)])
        return torch.stack(self.tricks(orders).chunk(2), dim=2) + MIDDLE

    @torch.no_grad()
    def normalise(self, hands: Tensor) -> None:
        """Normalise so that the vectors of these hands, n×52, have mean 0, deviation 1."""
        raw = self.embedding(hands)
        assert self.normal.running_mean is not None
        assert self.normal.running_var is not None
        self.normal.running_mean.copy_(raw.mean(0))
        self.normal.running_var.copy_(raw.var(0))

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights for `bots.library.hand2vec.net`, normalisation folded in."""
        kept = ("embedding", "tricks")
        weights = {
            name: array(value) for name, value in self.state_dict().items() if name.startswith(kept)
        }
        assert self.normal.running_mean is not None
        assert self.normal.running_var is not None
        scale = array((self.normal.running_var + self.normal.eps).rsqrt())
        weight, bias = (f"embedding.2.{part}" for part in ("weight", "bias"))
        weights[weight] = weights[weight] * scale[:, None]
        weights[bias] = (weights[bias] - array(self.normal.running_mean)) * scale
        return weights


@dataclass(frozen=True, slots=True)
class Hand2VecSettings:
    """The settings of the training."""

    seed: int = 1
    steps: int = 20_000
    dimensions: int = 8
    batch: int = 1024
    rate: float = 2e-2
    average: float = 0.999
    """The share of the averaged weights that stays in a step."""


class VectorsTrainer(Trainer[Hand2Vec]):
    """The network and the way it learns."""

    def __init__(self, settings: Hand2VecSettings, known: Known, checked: Known) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self._known, self._checked = known, checked
        net = Hand2Vec(settings.dimensions)
        super().__init__(
            Descent(
                net,
                SOAP(net.parameters(), settings.rate, weight_decay=0),
                rise_and_fall(settings.steps, 0.02),
                longest=1.0,
                keep=settings.average,
            ),
            settings.seed,
            1,
        )
        dealt, _ = random_pairs(np.random.default_rng([settings.seed, 0]), CHUNK)
        self._dealt = _cards(dealt)

    def loss(self, rng: np.random.Generator) -> Tensor:
        """See `Trainer`."""
        some = self._known.rows(rng.integers(len(self._known), size=self.settings.batch))
        pairs = in_other_suits(some, rng)
        tricks = self.descent.net(_cards(pairs.hands), _cards(pairs.partners))
        loss: Tensor = (tricks - tensor(pairs.tricks)).square().mean()
        return loss

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the loss, and how far the averaged network is from the tricks."""
        known = self._checked
        with torch.no_grad():
            return means | figures(self.ready()(_cards(known.hands), _cards(known.partners)), known)

    def write_weights(self, path: Path) -> None:
        """Write the weights, normalised over random hands, in single precision."""
        write_arrays(path, self.ready().weights())

    def ready(self) -> Hand2Vec:
        """Return the averaged network, normalised over random hands."""
        net = self.descent.averaged.eval()
        net.normalise(self._dealt)
        return net


def in_other_suits(known: Known, rng: np.random.Generator) -> Known:
    """Return the same pairs, each with its suits in another order."""
    orders = suit_orders(rng, len(known))
    return Known(
        reordered(known.hands, orders),
        reordered(known.partners, orders),
        denominations_reordered(known.tricks, orders),
    )


def estimated(net: TricksNet, seed: int, pairs: int, folder: Path) -> Iterator[Known]:
    """Yield random pairs with the mean tricks of an estimate, at most `CHUNK` at a time."""
    # The folder keeps the tricks, so that none are estimated twice; TrainingError if it is damaged.
    rng = np.random.default_rng([seed, 2])

    def mean(hands: Hands, partners: Hands) -> NDArray[np.float32]:
        return net.estimate(hands, partners).mean

    for dealt in measured_pairs(rng, pairs, CHUNK, folder, mean, 5, 2):
        yield Known(*dealt)


def _cards(hands: Hands) -> Tensor:
    return tensor(hands.astype(np.float32))
