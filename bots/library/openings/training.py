"""Training of the net of openings, with torch: a logistic regression, by L-BFGS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import write_arrays
from bridge_arena.bots.library.learning.device import array, tensor
from bridge_arena.bots.library.learning.hands import Hands
from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.library.openings.data import Openings, call_of
from bridge_arena.bots.library.openings.net import OpeningsNet, features, seen
from bridge_arena.bridge.calls import CALLS

FOLDS = 10
"""Parts of the hands, each of which judges a net that learned from the other parts."""

_LEAST = 0.001
"""The least probability that the surprise counts."""


@dataclass(frozen=True, slots=True)
class OpeningsSettings:
    """The settings of the training.

    Attributes:
        seed: The seed of the features and parts.
        features: The number of features.
        gamma: The kernel is exp(-gamma · distance²).
        weight: The weight of the hands against the squared weights of the net.
    """

    seed: int = 1
    features: int = 512
    gamma: float = 0.05
    weight: float = 10.0


def train(
    run: TrainingRun,
    settings: OpeningsSettings,
    openings: Openings,
    told: Callable[[int], None] = lambda _: None,
) -> Path:
    """Train a net, and measure nets like it on hands that they did not learn from.

    The curve has a row for each part of the hands so far: `right`, the share whose opening was the
    likeliest, and `surprise`, minus the logarithm to base 2 of the probability of their opening.

    Args:
        run: The folder of the training.
        settings: The settings.
        openings: The hands with openings.
        told: A function to call with the number of nets trained so far, of `FOLDS` + 1.

    Returns:
        The file of weights.
    """
    calls = np.array([int(call_of(text)) for text in openings.calls])
    part = np.random.default_rng([settings.seed, 1]).permutation(len(calls)) % FOLDS
    right, surprise = np.zeros(len(calls)), np.zeros(len(calls))
    for each in range(FOLDS):
        asked = part == each
        net = _fitted(settings, openings.hands[~asked], calls[~asked])
        found = net.probabilities(openings.hands[asked])
        numbers = np.array(net.calls, np.int64)
        had = (found * (numbers == calls[asked, None])).sum(axis=1)
        right[asked] = numbers[found.argmax(axis=1)] == calls[asked]
        surprise[asked] = -np.log2(np.maximum(had, _LEAST))
        sofar = part <= each
        run.note(each + 1, right=right[sofar].mean(), surprise=surprise[sofar].mean())
        told(each + 1)
    path = run.folder / "weights.npz"
    net = _fitted(settings, openings.hands, calls)
    write_arrays(path, {**net.weights, "calls": np.array(net.calls, np.int8)})
    run.draw("openings")
    told(FOLDS + 1)
    return path


def _fitted(settings: OpeningsSettings, hands: Hands, calls: NDArray[np.int64]) -> OpeningsNet:
    """Return the net that makes the calls likeliest, and its squared weights small."""
    known = seen(hands)
    rng = np.random.default_rng([settings.seed, 0])
    spread = np.sqrt(2 * settings.gamma)
    directions = spread * rng.standard_normal((known.shape[1], settings.features))
    phases = rng.uniform(0, 2 * np.pi, settings.features)
    numbers, targets = np.unique(calls, return_inverse=True)
    weight = torch.zeros(settings.features, len(numbers), dtype=torch.float64, requires_grad=True)
    bias = torch.zeros(len(numbers), dtype=torch.float64, requires_grad=True)
    x, y = tensor(features(known, directions, phases)), tensor(targets)
    solver = torch.optim.LBFGS([weight, bias], max_iter=1000, line_search_fn="strong_wolfe")

    def loss() -> float:
        solver.zero_grad()
        found = torch.nn.functional.cross_entropy(x @ weight + bias, y, reduction="sum")
        found = settings.weight * found + weight.square().sum() / 2
        found.backward()  # type: ignore[no-untyped-call]
        return float(found.detach())

    solver.step(loss)  # type: ignore[no-untyped-call]
    weights = {
        "directions": directions,
        "phases": phases,
        "weight": array(weight),
        "bias": array(bias),
    }
    return OpeningsNet(
        {name: each.astype(np.float32) for name, each in weights.items()},
        tuple(CALLS[number] for number in numbers),
    )
