"""Training of the estimate, with torch.

Every pair is shown with its suits in any order and its hands in either: a solver's answer
does not change. Deals solved once teach mean and deviation by their likelihood; means of
several layouts teach the mean alone, and without deals the deviation is one trick.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bots.learning.arrays import write_arrays
from bots.learning.hands import denominations_reordered, reordered, suit_orders
from bots.learning.run import TrainingRun
from bots.tricks.data import Known
from bots.tricks.net import INPUTS, LOGARITHMS, OUTPUTS

_EVERY = 500
"""Steps between two rows of the curve, and two checkpoints."""

_LOOKED_AT = 20_000
"""Pairs that the correlation is taken of: solved ones, or those with means if there are none."""

_VARIANCE_OF_MEANS = 0.15
"""How far, squared, a mean over some layouts is from what it estimates."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the estimate is trained."""

    seed: int = 1
    steps: int = 12_000
    width: int = 512
    layers: int = 3
    batch: int = 1024
    rate: float = 1e-3


def network(settings: Settings) -> nn.Sequential:
    sizes = [INPUTS, *[settings.width] * settings.layers]
    parts: list[nn.Module] = []
    for before, after in pairwise(sizes):
        parts += [nn.Linear(before, after), nn.ELU()]
    return nn.Sequential(*parts, nn.Linear(sizes[-1], OUTPUTS))


def shuffled(known: Known, rng: np.random.Generator) -> Known:
    """The same pairs, each with its suits in an order of its own, and its hands swapped or not."""
    orders = suit_orders(rng, len(known))
    hands, partners = reordered(known.hands, orders), reordered(known.partners, orders)
    tricks = denominations_reordered(known.tricks, orders)
    swap = rng.random(len(known)) < 0.5
    return Known(
        np.where(swap[:, None], partners, hands),
        np.where(swap[:, None], hands, partners),
        np.where(swap[:, None, None], tricks[:, :, ::-1], tricks),
    )


def inputs(known: Known) -> Tensor:
    return torch.from_numpy(np.concatenate([known.hands, known.partners], axis=1)).float()


def train(
    run: TrainingRun,
    settings: Settings,
    solved: Known | None,
    means: Known | None,
    checked: Known,
    told: Callable[[int], None],
) -> Path:
    """Train in a folder, going on where it was interrupted; the file of the weights.

    `solved`: deals solved once, `means`: pairs with mean tricks, either or both; `checked`:
    pairs of either kind that the curve is measured on. `told`: is told every step. Raises
    ValueError where there is neither.
    """
    shown = solved if solved is not None else means
    if shown is None:
        raise ValueError("neither solved deals nor means to learn from")
    torch.manual_seed(settings.seed)
    net = network(settings)
    if solved is None:
        _fix_deviation(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=settings.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, settings.rate, settings.steps, pct_start=0.05
    )
    begun = 0
    if run.checkpoint is not None:
        state = torch.load(run.checkpoint, weights_only=True)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        begun = state["step"]
    told(begun)
    for step in range(begun, settings.steps):
        # Each step has a stream of its own, so that a resumed run sees the same pairs.
        rng = np.random.default_rng([settings.seed, step])
        loss = torch.zeros(())
        if solved is not None:
            loss = loss + _likelihood(net, _drawn(solved, settings.batch, rng))
        if means is not None:
            loss = loss + _distance(net, _drawn(means, settings.batch, rng))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        told(step + 1)
        if (step + 1) % _EVERY == 0 or step + 1 == settings.steps:
            run.note(step + 1, **_figures(net, checked))
            state = {
                "net": net.state_dict(),
                "optimizer": optimizer.state_dict(),
                "schedule": schedule.state_dict(),
                "step": step + 1,
            }
            run.save(lambda path, state=state: torch.save(state, path))  # type: ignore[misc]
    run.draw("Estimated tricks")
    weights = run.folder / "weights.npz"
    write(net, _correlation(net, shown.rows(slice(0, _LOOKED_AT))), weights)
    return weights


def write(net: nn.Sequential, correlation: NDArray[np.float32], path: Path) -> None:
    """The weights as the estimate in numpy reads them, in half precision."""
    layers = [part for part in net if isinstance(part, nn.Linear)]
    arrays: dict[str, NDArray[np.floating]] = {"correlation": correlation}
    for number, layer in enumerate(layers):
        arrays[f"weight{number}"] = layer.weight.detach().numpy().T.astype(np.float16)
        arrays[f"bias{number}"] = layer.bias.detach().numpy().astype(np.float16)
    write_arrays(path, arrays)


@torch.no_grad()
def _fix_deviation(net: nn.Sequential) -> None:
    """At one trick, its logarithm at 0: means have no gradient there that would move it."""
    last = net[-1]
    assert isinstance(last, nn.Linear)
    last.weight[OUTPUTS // 2 :] = 0
    last.bias[OUTPUTS // 2 :] = 0


def _drawn(known: Known, number: int, rng: np.random.Generator) -> Known:
    return shuffled(known.rows(rng.integers(len(known), size=number)), rng)


def _outputs(net: nn.Sequential, known: Known) -> tuple[Tensor, Tensor, Tensor]:
    """Mean, deviation and the known tricks, n×5×2 each."""
    found = net(inputs(known)).reshape(-1, 2, 5, 2)
    return found[:, 0], found[:, 1].clamp(*LOGARITHMS).exp(), torch.from_numpy(known.tricks)


def _likelihood(net: nn.Sequential, known: Known) -> Tensor:
    """Minus the logarithm of the likelihood of whole tricks."""
    mean, deviation, tricks = _outputs(net, known)
    ends = [torch.special.ndtr((tricks + end - mean) / deviation) for end in (-0.5, 0.5)]
    below = torch.where(tricks < 0.5, torch.zeros_like(mean), ends[0])
    above = torch.where(tricks > 12.5, torch.ones_like(mean), ends[1])
    probable = -(above - below).clamp_min(1e-6).log()
    # Far off, where the probability is no help, the distance is.
    far = ((tricks - mean).abs() / deviation - 4).clamp_min(0)
    return (probable + far).mean()


def _distance(net: nn.Sequential, known: Known) -> Tensor:
    mean, _, tricks = _outputs(net, known)
    return (mean - tricks).square().mean() / (2 * _VARIANCE_OF_MEANS)


@torch.no_grad()
def _correlation(net: nn.Sequential, known: Known) -> NDArray[np.float32]:
    """Of the tricks of two denominations, 5×5: alike for all suits."""
    mean, deviation, tricks = _outputs(net, known)
    declarer = mean.argmax(dim=2, keepdim=True)
    off = ((tricks - mean) / deviation).gather(2, declarer)[..., 0].numpy()
    found = np.corrcoef(off.T).astype(np.float32)
    suits = (found[:4, :4].sum() - 4) / 12
    matrix = np.full((5, 5), suits, np.float32)
    matrix[4, :4] = matrix[:4, 4] = found[4, :4].mean()
    np.fill_diagonal(matrix, 1.0)
    return matrix


@torch.no_grad()
def _figures(net: nn.Sequential, known: Known) -> dict[str, float]:
    mean, _, tricks = _outputs(net, known)
    distance = (mean - tricks).abs()
    suits, notrump = distance[:, :4], distance[:, 4]
    return {
        "error": float(distance.square().mean().sqrt()),
        "suits_within_half": float((suits <= 0.5).float().mean()),
        "notrump_within_half": float((notrump <= 0.5).float().mean()),
    }
