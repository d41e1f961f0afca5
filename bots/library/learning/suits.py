"""Networks in numpy whose layers are the same for all suits.

Every suit goes through the same layers. Each layer adds a function of the suit and a function of
the mean of all four suits, so exchanging suits changes nothing else (Zaheer et al., Deep Sets,
2017, section 3.2). `bots.library.learning.suit_modules` has the same layers for torch, with their
weights under the same names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError
from bridge_arena.bots.library.learning.exact import Exact, layers

Array = NDArray[np.float32]

Shapes = dict[str, tuple[int, ...]]
"""The shapes of weights, by name."""


def linear(name: str, inputs: int, outputs: int) -> Shapes:
    """Return the shapes of a layer that is the same for each row."""
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def mixing(name: str, inputs: int, outputs: int) -> Shapes:
    """Return the shapes of a layer over suits."""
    return linear(f"{name}.own", inputs, outputs) | {f"{name}.all.weight": (outputs, inputs)}


def trunk(inputs: int, width: int, names: Iterable[str]) -> Shapes:
    """Return the shapes of the layers that `SuitLayers.trunk` goes through.

    Args:
        inputs: The numbers of a suit that go in.
        width: The numbers of a suit that come out.
        names: The names of all weights of the network.

    Returns:
        The shapes, by name.
    """
    shapes = mixing("first", inputs, width)
    for step in range(_steps(names)):
        shapes |= mixing(f"steps.{step}.mix", width, width)
        shapes |= linear(f"steps.{step}.out", width, width)
    return shapes


def read_weights(arrays: Arrays, shapes: Shapes, others: frozenset[str]) -> dict[str, Array]:
    """Return all weights of a file.

    Args:
        arrays: The file.
        shapes: The shapes of the weights, by name.
        others: The names of other arrays that the file may hold.

    Returns:
        The weights, by name.

    Raises:
        ArraysError: The file lacks a weight, or holds something else.
    """
    if unknown := arrays.names - shapes.keys() - others:
        raise ArraysError(f"{arrays.path}: {min(unknown)} is no part of such a net")
    return {name: arrays.weights(name, *shape) for name, shape in shapes.items()}


def _steps(names: Iterable[str]) -> int:
    return sum(name.endswith("mix.own.bias") for name in names)


class SuitLayers:
    """Layers that are the same for all suits, applied to n×4×inputs.

    Args:
        weights: The weights, by name.

    Attributes:
        steps: The number of residual layers.
    """

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self._layers = layers(weights)
        self.steps = _steps(weights)

    def trunk(self, x: Array) -> Exact:
        """Return the output of the first layer and the residual layers, n×4×width."""
        found = np.maximum(self.mix("first", x), 0)
        for step in range(self.steps):
            between = np.maximum(self.mix(f"steps.{step}.mix", found), 0)
            found += self.apply(f"steps.{step}.out", between)
        return found

    def mix(self, name: str, x: Array | Exact) -> Exact:
        """Return the output of a layer over suits."""
        found = self.apply(f"{name}.own", x)
        found += self.apply(f"{name}.all", x.mean(axis=1))[:, None]
        return found

    def apply(self, name: str, x: Array | Exact) -> Exact:
        """Return the output of a layer that is the same for each row."""
        return self._layers[name](x)
