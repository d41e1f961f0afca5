"""Training of the estimate, with torch.

Exchanging suits changes nothing in the network, so a pair stands for 24; its hands are shown in
either order. Deals solved once teach the mean and the deviation by their likelihood. Means over
several layouts teach the mean only; without deals the deviation is fixed at one trick.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.descent import Trainer, adamw, weights_of
from bridge_arena.bots.library.learning.device import array, quickly, tensor
from bridge_arena.bots.library.learning.suit_modules import Mix, SuitTrunk
from bridge_arena.bots.library.tricks.data import Known
from bridge_arena.bots.library.tricks.net import INPUTS, LOGARITHMS, OUTPUTS, TricksNet, suits_of

EVERY = 500
"""Steps between two rows of the curve, and between two checkpoints."""

_LOOKED_AT = 20_000
"""Pairs from which the correlation is computed: solved ones, or else those with means."""

_AT_ONCE = 4000
"""Pairs that are measured at a time."""

LEAST = 10
"""The fewest pairs to learn from: fewer do not show how denominations correlate."""

_VARIANCE_OF_MEANS = 0.15
"""The variance of a mean over some layouts, around what it estimates."""


class Tricks(SuitTrunk):
    """The network from suits, n×4×`INPUTS`, to tricks; `between` layers of `width` units."""

    def __init__(self, width: int, between: int) -> None:
        super().__init__(INPUTS, width, between)
        self.suits = Mix(width, OUTPUTS)
        self.notrump = nn.ModuleList([nn.Linear(width, width), nn.Linear(width, OUTPUTS)])

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the means and the logarithms of the deviations of the tricks, n×5×2 each."""
        x = self.trunk(x)
        before, last = self.notrump
        of_notrump = last(torch.relu(before(x.mean(dim=1))))
        outputs = torch.cat([self.suits(x), of_notrump[:, None]], dim=1).float()
        return outputs[..., :2] + 7, outputs[..., 2:]

    @classmethod
    def of(cls, net: TricksNet) -> Tricks:
        """Return the network with the weights of one in numpy."""
        width = len(net.weights["first.own.bias"])
        made = cls(width, net.between)
        made.load_state_dict({name: tensor(value) for name, value in net.weights.items()})
        return made


def deviations_of(logarithms: Tensor) -> Tensor:
    """Return deviations from their logarithms, cut to `LOGARITHMS`."""
    return logarithms.clamp(*LOGARITHMS).exp()


def in_both_orders(net: Tricks, suits: Tensor) -> tuple[Tensor, Tensor]:
    """Return means and deviations of tricks as `TricksNet.estimate` does, from both orders."""
    half = INPUTS // 2
    turned = torch.cat([suits[..., half:], suits[..., :half]], dim=-1)
    (mean, logarithms), (other, its) = net(suits), net(turned)
    return (mean + other.flip(-1)) / 2, deviations_of((logarithms + its.flip(-1)) / 2)


@dataclass(frozen=True, slots=True)
class TricksSettings:
    """The settings of the training; `width` and `between` are those of `Tricks`."""

    seed: int = 1
    steps: int = 6_000
    width: int = 256
    between: int = 3
    batch: int = 512
    rate: float = 2e-3
    decay: float = 0.3
    average: float = 0.998
    """The share of the averaged weights that stays in a step."""


class TricksTrainer(Trainer[Tricks]):
    """The network and the way it learns; without `solved` pairs all deviations are one trick."""

    def __init__(
        self, settings: TricksSettings, solved: Known | None, means: Known | None, checked: Known
    ) -> None:
        if solved is None and means is None:
            raise ValueError("neither solved deals nor means to learn from")
        torch.manual_seed(settings.seed)
        self.settings = settings
        self._solved, self._means, self._checked = solved, means, checked
        net = Tricks(settings.width, settings.between)
        if solved is None:
            _fix_deviation(net)
        decay, average = settings.decay, settings.average
        descent = adamw(net, settings.rate, decay, average, steps=settings.steps)
        super().__init__(descent, settings.seed)

    def loss(self, rng: np.random.Generator) -> Tensor:
        """See `Trainer`."""
        loss = torch.zeros(())
        if self._solved is not None:
            loss = loss + _likelihood(*self._outputs(self._solved, rng))
        if self._means is not None:
            mean, _, tricks = self._outputs(self._means, rng)
            loss = loss + (mean - tricks).square().mean() / (2 * _VARIANCE_OF_MEANS)
        return loss

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the loss, and how far the averaged network is from the tricks."""
        return means | figures(_estimated(self.descent.averaged, self._checked)[0], self._checked)

    def write_weights(self, path: Path) -> None:
        """Write the weights and the correlation, as `bots.library.tricks.net` reads them."""
        net, shown = self.descent.averaged, self._means if self._solved is None else self._solved
        assert shown is not None
        correlation = _correlation(net, shown.rows(slice(0, _LOOKED_AT)))
        write_halved(path, weights_of(net), {"correlation": correlation})

    def _outputs(self, known: Known, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Return mean, deviation and the known tricks of some pairs, n×5×2 each."""
        pairs = turned(known.rows(rng.integers(len(known), size=self.settings.batch)), rng)
        with quickly():
            mean, logarithms = self.descent.net(inputs(pairs))
        return mean, deviations_of(logarithms), tensor(pairs.tricks)


def turned(known: Known, rng: np.random.Generator) -> Known:
    """Return the same pairs, with their hands in either order."""
    swap = rng.random(len(known)) < 0.5
    return Known(
        np.where(swap[:, None], known.partners, known.hands),
        np.where(swap[:, None], known.hands, known.partners),
        np.where(swap[:, None, None], known.tricks[:, :, ::-1], known.tricks),
    )


def inputs(known: Known) -> Tensor:
    """Return pairs as the network reads them."""
    return tensor(suits_of(known.hands, known.partners))


@torch.no_grad()
def _fix_deviation(net: Tricks) -> None:
    """Fix the deviation at one trick: its logarithm is 0, and means give it no gradient."""
    last = net.notrump[1]
    assert isinstance(last, nn.Linear)
    for layer in (net.suits.own, net.suits.all, last):
        layer.weight[OUTPUTS // 2 :] = 0
    for layer in (net.suits.own, last):
        layer.bias[OUTPUTS // 2 :] = 0


def _likelihood(mean: Tensor, deviation: Tensor, tricks: Tensor) -> Tensor:
    """Return minus the logarithm of the likelihood of whole tricks."""
    ends = [torch.special.ndtr((tricks + end - mean) / deviation) for end in (-0.5, 0.5)]
    below = torch.where(tricks < 0.5, torch.zeros_like(mean), ends[0])
    above = torch.where(tricks > 12.5, torch.ones_like(mean), ends[1])
    probable = -(above - below).clamp_min(1e-6).log()
    # Far from the mean the probability has no useful gradient; the distance has one.
    far = ((tricks - mean).abs() / deviation - 4).clamp_min(0)
    return (probable + far).mean()


@torch.no_grad()
def _estimated(net: Tricks, known: Known) -> tuple[Tensor, Tensor]:
    """Return mean and deviation, as the network in numpy computes them."""
    parts = [
        in_both_orders(net, inputs(known.rows(slice(start, start + _AT_ONCE))))
        for start in range(0, len(known), _AT_ONCE)
    ]
    return torch.cat([mean for mean, _ in parts]), torch.cat([deviation for _, deviation in parts])


def _correlation(net: Tricks, known: Known) -> NDArray[np.float32]:
    """Return the correlation of the tricks of two denominations, 5×5, the same for all suits."""
    mean, deviation = _estimated(net, known)
    declarer = mean.argmax(dim=2, keepdim=True)
    tricks = tensor(known.tricks)
    off = array(((tricks - mean) / deviation).gather(2, declarer)[..., 0])
    correlation = np.corrcoef(off.T).astype(np.float32)
    suits = (correlation[:4, :4].sum() - 4) / 12
    matrix = np.full((5, 5), suits, np.float32)
    matrix[4, :4] = matrix[:4, 4] = correlation[4, :4].mean()
    np.fill_diagonal(matrix, 1.0)
    return matrix


def figures(mean: Tensor, known: Known) -> dict[str, float]:
    """Return how far estimated means, n×5×2, are from the tricks."""
    distance = (mean - tensor(known.tricks)).abs()
    suits, notrump = distance[:, :4], distance[:, 4]
    return {
        "error": float(distance.square().mean().sqrt()),
        "suits_within_half": float((suits <= 0.5).float().mean()),
        "notrump_within_half": float((notrump <= 0.5).float().mean()),
    }
