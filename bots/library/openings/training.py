"""Training of the net of openings, with torch: a logistic regression, by L-BFGS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, write_arrays
from bridge_arena.bots.library.learning.device import array, tensor
from bridge_arena.bots.library.learning.hands import Hands
from bridge_arena.bots.library.openings.data import Openings, call_of
from bridge_arena.bots.library.openings.net import OpeningsNet, features, inputs
from bridge_arena.bridge.calls import CALLS

FOLDS = 10
"""Parts of the hands, each of which judges a net that learned from the other parts."""

_LEAST = 0.001
"""The least probability that the surprise counts."""


@dataclass(frozen=True, slots=True)
class OpeningsSettings:
    """The settings of the training."""

    seed: int = 1  # the seed of the features and parts
    features: int = 512
    gamma: float = 0.05  # the kernel is exp(-gamma · distance²)
    weight: float = 10.0  # the weight of the hands against the squared weights of the net


class Judges:
    """Nets that each judge a part of the hands, after they learned from the others."""

    def __init__(self, settings: OpeningsSettings, openings: Openings) -> None:
        self._settings = settings
        self._hands = openings.hands
        self._calls = np.array([int(call_of(text)) for text in openings.calls])
        number = len(self._calls)
        self._part = np.random.default_rng([settings.seed, 1]).permutation(number) % FOLDS
        self._right, self._surprise = np.zeros(number), np.zeros(number)
        self.done = 0

    def learn(self) -> dict[str, float]:
        """Judge a part."""
        calls, judged = self._calls, self._part == self.done
        net = _fitted(self._settings, self._hands[~judged], calls[~judged])
        odds = net.probabilities(self._hands[judged])
        numbers = np.array(net.calls, np.int64)
        had = (odds * (numbers == calls[judged, None])).sum(axis=1)
        self._right[judged] = numbers[odds.argmax(axis=1)] == calls[judged]
        self._surprise[judged] = -np.log2(np.maximum(had, _LEAST))
        self.done += 1
        return {}

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the figures of the parts judged so far.

        They are `right`, the share whose opening was the likeliest, and `surprise`, minus the
        logarithm to base 2 of the probability of their opening.
        """
        sofar = self._part < self.done
        right, surprise = self._right[sofar].mean(), self._surprise[sofar].mean()
        return {**means, "right": float(right), "surprise": float(surprise)}

    def write_weights(self, path: Path) -> None:
        """Write a net that learns from all hands."""
        net = _fitted(self._settings, self._hands, self._calls)
        write_arrays(path, {**net.weights, "calls": np.array(net.calls, np.int8)})

    def write(self, path: Path) -> None:
        """Write a file from which `read` continues."""
        judged = {"done": np.array(self.done), "right": self._right, "surprise": self._surprise}
        write_arrays(path, judged)

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""
        arrays, number = Arrays(path), len(self._calls)
        self.done = int(arrays.numbers("done"))
        self._right = arrays.numbers("right", number)
        self._surprise = arrays.numbers("surprise", number)


def _fitted(settings: OpeningsSettings, hands: Hands, calls: NDArray[np.int64]) -> OpeningsNet:
    """Return the net that makes the calls likeliest, and its squared weights small."""
    known = inputs(hands)
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
        surprise = torch.nn.functional.cross_entropy(x @ weight + bias, y, reduction="sum")
        cost = settings.weight * surprise + weight.square().sum() / 2
        cost.backward()  # type: ignore[no-untyped-call]
        return float(cost.detach())

    solver.step(loss)  # type: ignore[no-untyped-call]
    learned = {"weight": array(weight), "bias": array(bias)}
    weights = {"directions": directions, "phases": phases, **learned}
    return OpeningsNet(
        {name: value.astype(np.float32) for name, value in weights.items()},
        tuple(CALLS[number] for number in numbers),
    )
