"""Gradient descent with torch, step by step: what all trainings have in common."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable, Mapping
from math import cos, pi
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Optimizer

from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.device import array


def rise_and_fall(steps: int, rising: float) -> Callable[[int], float]:
    """Return a function from a step, counted from 0, to its share of the learning rate."""
    # It rises evenly in the share `rising` of the steps; then it falls as a cosine, to 0 at last.
    top = min(max(1.0, rising * steps), steps / 2)

    def share(step: int) -> float:
        if step < top:
            return (step + 1) / (top + 1)
        return 0.5 + 0.5 * cos(pi * min(1.0, (step - top) / (steps - top)))

    return share


_Net = TypeVar("_Net", bound=nn.Module)


@torch.no_grad()
def average(averaged: nn.Module, net: nn.Module, step: int, keep: float) -> None:
    """Fold the weights after a step, counted from 1, into the averages, of which `keep` stays."""
    # Less stays in the first steps.
    keep = min(keep, step / (step + 10))
    for mean, now in zip(averaged.parameters(), net.parameters(), strict=True):
        mean.lerp_(now, 1 - keep)


def weights_of(net: nn.Module) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a network by their names."""
    return {name: array(weight) for name, weight in net.state_dict().items()}


class Descent(Generic[_Net]):
    """A network, its averaged weights, its optimizer and the number of steps done.

    `rates` returns the share of the optimizer's rate for each step, `longest` is the norm to which
    gradients are clipped, and `keep` as for `average`.
    """

    def __init__(
        self,
        net: _Net,
        optimizer: Optimizer,
        rates: Callable[[int], float],
        *,
        longest: float,
        keep: float,
    ) -> None:
        self.net = net
        self.averaged = copy.deepcopy(net)
        self.done = 0
        self._optimizer = optimizer
        self._highest = [group["lr"] for group in optimizer.param_groups]
        self._rates, self._longest, self._keep = rates, longest, keep

    def step(self, loss: Tensor) -> None:
        """Take one step against the gradient of a loss."""
        for group, highest in zip(self._optimizer.param_groups, self._highest, strict=True):
            group["lr"] = highest * self._rates(self.done)
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), self._longest)
        self._optimizer.step()
        self.done += 1
        average(self.averaged, self.net, self.done, self._keep)

    def state(self) -> dict[str, Any]:
        """Return the state from which `load` continues."""
        parts = {name: part.state_dict() for name, part in self._parts().items()}
        return parts | {"done": self.done}

    def load(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state` returned; torch raises its own errors if it is another."""
        for name, part in self._parts().items():
            part.load_state_dict(state[name])
        self.done = int(state["done"])

    def _parts(self) -> dict[str, nn.Module | Optimizer]:
        return {"net": self.net, "averaged": self.averaged, "optimizer": self._optimizer}


def save_state(path: Path, state: Mapping[str, Any]) -> None:
    """Write the state of a training to a file."""
    # Into memory first: torch's own errors do not say what is wrong with a disk.
    data = io.BytesIO()
    torch.save(state, data)
    path.write_bytes(data.getbuffer())


def load_state(path: Path) -> dict[str, Any]:
    """Return what `save_state` wrote; torch raises its own errors if a file holds another."""
    state: dict[str, Any] = torch.load(path, weights_only=True)
    return state


def adamw(
    net: _Net, rate: float, decay: float, average: float, *, steps: int, rising: float = 0.05
) -> Descent[_Net]:
    """Return a descent by AdamW, whose rate rises in a share of the steps, and falls."""
    optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=decay)
    return Descent(net, optimizer, rise_and_fall(steps, rising), longest=1.0, keep=average)


class Trainer(Generic[_Net]):
    """A training of one network: a `bots.library.learning.run.Course` whose steps subclasses give.

    `seed` is, with the number of a step, that of what the step draws at random.
    """

    def __init__(self, descent: Descent[_Net], *seed: int) -> None:
        self.descent = descent
        self._seed = seed

    @property
    def done(self) -> int:
        """The number of steps done."""
        return self.descent.done

    def learn(self) -> dict[str, float]:
        """Take a step and return the loss."""
        # Each step has its own random numbers, so a resumed run learns from the same examples.
        loss = self.loss(np.random.default_rng([*self._seed, self.done]))
        self.descent.step(loss)
        return {"loss": float(loss.detach())}

    def loss(self, rng: np.random.Generator) -> Tensor:
        """Return the loss of the examples of a step, which are drawn by the generator."""
        raise NotImplementedError

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""
        self.descent.load(load_state(path))

    def write(self, path: Path) -> None:
        """Write a file from which `read` continues."""
        save_state(path, self.descent.state())

    def write_weights(self, path: Path) -> None:
        """Write the averaged weights in half precision, as the bot reads them."""
        write_halved(path, weights_of(self.descent.averaged))
