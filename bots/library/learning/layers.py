"""Layers of networks in numpy whose results are the same, bit for bit, on every processor.

The sum of rounded products depends on their order, and the library that multiplies matrices has
another order for each kind of processor. Here weights and inputs are rounded to whole multiples of
a small unit, and inputs are cut so far that no sum can need more bits than a float has. So no
product and no sum is rounded, and their order does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError

Array = NDArray[np.float32]

Exact = NDArray[np.float64]

Shapes = dict[str, tuple[int, ...]]
"""The shapes of weights, by name."""

UNIT = 2.0**-18
"""Weights and inputs are whole multiples of this."""

_WHOLE = 2.0**53 - 1
"""Every whole number up to this is a float, and so is every sum that stays below."""


class Layer:
    """A layer of a network, the same for each row of its input, which is cut to ±`most`."""

    def __init__(
        self, weight: NDArray[np.floating], bias: NDArray[np.floating] | None = None
    ) -> None:
        whole = np.rint(weight.astype(np.float64) / UNIT)
        largest = max(1.0, float(np.abs(whole).sum(axis=1).max(initial=0)))
        self._most = np.floor(_WHOLE / largest)
        self.most = self._most * UNIT
        self._weight = (whole * UNIT**2).T
        self._bias = None if bias is None else rounded(bias)

    def __call__(self, x: NDArray[Any]) -> Exact:
        """Return the outputs, n×..×outputs, for inputs n×..×inputs."""
        # One product of two matrices is twice as fast as a product for each row of suits.
        rows = np.multiply(x.reshape(-1, x.shape[-1]), 1 / UNIT, dtype=np.float64)
        np.rint(rows, out=rows)
        np.clip(rows, -self._most, self._most, out=rows)
        outputs: Exact = rows @ self._weight
        if self._bias is not None:
            outputs += self._bias
        return outputs.reshape(*x.shape[:-1], outputs.shape[1])


def layers(weights: Mapping[str, NDArray[np.floating]]) -> dict[str, Layer]:
    """Return the layers of a network by name: `NAME.weight`, with `NAME.bias` if there is one."""
    names = [key.removesuffix(".weight") for key in weights if key.endswith(".weight")]
    return {name: Layer(weights[f"{name}.weight"], weights.get(f"{name}.bias")) for name in names}


def rounded(x: NDArray[np.floating]) -> Exact:
    """Return numbers as multiples of `UNIT`."""
    # Functions such as the exponential differ between processors in the last bit; this hides it.
    multiples: Exact = np.rint(x.astype(np.float64) / UNIT) * UNIT
    return multiples


def linear(name: str, inputs: int, outputs: int) -> Shapes:
    """Return the shapes of a layer that is the same for each row."""
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def hidden(name: str, width: int, names: Iterable[str]) -> Shapes:
    """Return the shapes of layers of one width, NAME.0, NAME.1 and so on: all that there are."""
    number = sum(key.startswith(f"{name}.") and key.endswith(".weight") for key in names)
    return {
        key: shape
        for layer in range(number)
        for key, shape in linear(f"{name}.{layer}", width, width).items()
    }


def mixing(name: str, inputs: int, outputs: int) -> Shapes:
    """Return the shapes of a layer over suits."""
    return linear(f"{name}.own", inputs, outputs) | {f"{name}.all.weight": (outputs, inputs)}


def trunk(inputs: int, width: int, names: Iterable[str]) -> Shapes:
    """Return the shapes of the layers of `SuitLayers.trunk`; `names` are those of all weights."""
    shapes = mixing("first", inputs, width)
    for step in range(_steps(names)):
        shapes |= mixing(f"steps.{step}.mix", width, width)
        shapes |= linear(f"steps.{step}.out", width, width)
    return shapes


def read_weights(arrays: Arrays, shapes: Shapes, others: frozenset[str]) -> dict[str, Array]:
    """Return all weights of a file by name, which may hold `others` too.

    Raises ArraysError if the file lacks a weight, or holds something else.
    """
    if unknown := arrays.names - shapes.keys() - others:
        raise ArraysError(f"{arrays.path}: {min(unknown)} is no part of such a net")
    return {name: arrays.weights(name, *shape) for name, shape in shapes.items()}


def _steps(names: Iterable[str]) -> int:
    return sum(name.endswith("mix.own.bias") for name in names)


class SuitLayers:
    """Layers over suits, in which all suits go through the same, applied to n×4×inputs.

    Each layer adds a function of the suit and a function of the mean of all four suits, so
    exchanging suits changes nothing else (Zaheer et al., Deep Sets, 2017, section 3.2).
    `bots.library.learning.suit_modules` has the same layers for torch, with their weights under
    the same names.
    """

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self._layers = layers(weights)
        self.steps = _steps(weights)  # the number of residual layers

    def trunk(self, x: Array) -> Exact:
        """Return the output of the first layer and the residual layers, n×4×width."""
        outputs = np.maximum(self.mix("first", x), 0)
        for step in range(self.steps):
            between = np.maximum(self.mix(f"steps.{step}.mix", outputs), 0)
            outputs += self.apply(f"steps.{step}.out", between)
        return outputs

    def mix(self, name: str, x: Array | Exact) -> Exact:
        """Return the output of a layer over suits."""
        outputs = self.apply(f"{name}.own", x)
        outputs += self.apply(f"{name}.all", x.mean(axis=1))[:, None]
        return outputs

    def apply(self, name: str, x: Array | Exact) -> Exact:
        """Return the output of a layer that is the same for each row."""
        return self._layers[name](x)
