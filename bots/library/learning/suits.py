"""Nets in numpy whose layers are alike for all suits.

Every suit goes through the same layers. Each makes something of a suit and adds something of
the mean of all four, so that suits which change places change nothing else (Zaheer et al.,
Deep Sets, 2017, section 3.2). `bots.library.learning.suit_modules` has the same layers for torch,
their weights by the same names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError

Array = NDArray[np.float32]

Shapes = dict[str, tuple[int, ...]]
"""Of weights, by their names."""


def linear(name: str, inputs: int, outputs: int) -> Shapes:
    """A layer that is the same for each row."""
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def mixing(name: str, inputs: int, outputs: int) -> Shapes:
    """A layer over suits."""
    return linear(f"{name}.own", inputs, outputs) | {f"{name}.all.weight": (outputs, inputs)}


def trunk(inputs: int, width: int, names: Iterable[str]) -> Shapes:
    """The layers that `SuitLayers.trunk` goes through; `names`: of all weights there are."""
    shapes = mixing("first", inputs, width)
    for step in range(_steps(names)):
        shapes |= mixing(f"steps.{step}.mix", width, width)
        shapes |= linear(f"steps.{step}.out", width, width)
    return shapes


def read_weights(arrays: Arrays, shapes: Shapes, others: frozenset[str]) -> dict[str, Array]:
    """All weights of a file, which holds nothing else but `others`. Raises ArraysError."""
    if unknown := arrays.names - shapes.keys() - others:
        raise ArraysError(f"{arrays.path}: {min(unknown)} is no part of such a net")
    return {name: arrays.weights(name, *shape) for name, shape in shapes.items()}


def _steps(names: Iterable[str]) -> int:
    return sum(name.endswith("mix.own.bias") for name in names)


class SuitLayers:
    """Weights, and what their layers make of suits, n×4×inputs."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights
        self.steps = _steps(weights)

    def trunk(self, x: Array) -> Array:
        """The first layer, then those that each add something, n×4×width."""
        x = np.maximum(self.mix("first", x), 0)
        for step in range(self.steps):
            between = np.maximum(self.mix(f"steps.{step}.mix", x), 0)
            x += self.apply(f"steps.{step}.out", between)
        return x

    def mix(self, name: str, x: Array) -> Array:
        """Of each suit, and of the mean of all."""
        of_all = x.mean(axis=1) @ self.weights[f"{name}.all.weight"].T
        found: Array = self.apply(f"{name}.own", x) + of_all[:, None]
        return found

    def apply(self, name: str, x: Array) -> Array:
        # One product of two matrices, which is twice as quick as one for each row of suits.
        found = x.reshape(-1, x.shape[-1]) @ self.weights[f"{name}.weight"].T
        found += self.weights[f"{name}.bias"]
        return found.reshape(*x.shape[:-1], -1)
