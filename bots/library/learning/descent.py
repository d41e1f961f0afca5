"""Gradient descent with torch, step by step: what all trainings have in common."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable
from math import cos, pi
from pathlib import Path
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR, LRScheduler


def rise_and_fall(steps: int, rising: float) -> Callable[[int], float]:
    """Return a function from a step, counted from 0, to its share of the learning rate.

    Args:
        steps: The number of steps of the training.
        rising: The share of the steps in which the rate rises evenly; after them it falls as a
            cosine does, to 0 after the last step.
    """
    top = min(max(1.0, rising * steps), steps / 2)

    def share(step: int) -> float:
        if step < top:
            return (step + 1) / (top + 1)
        return 0.5 + 0.5 * cos(pi * min(1.0, (step - top) / (steps - top)))

    return share


_Net = TypeVar("_Net", bound=nn.Module)


@torch.no_grad()
def average(averaged: nn.Module, net: nn.Module, step: int, keep: float) -> None:
    """Fold the weights of a step into the averaged weights.

    Args:
        averaged: The network of the averaged weights, which is changed.
        net: The network after the step.
        step: The number of the step, from 1.
        keep: The share of the averaged weights that stays; less of them stays in the first steps.
    """
    keep = min(keep, step / (step + 10))
    for mean, now in zip(averaged.parameters(), net.parameters(), strict=True):
        mean.lerp_(now, 1 - keep)


class Descent(Generic[_Net]):
    """A network, its averaged weights, its optimizer and the number of steps done.

    Args:
        net: The network.
        optimizer: The optimizer of the network's parameters.
        rates: Returns the share of the optimizer's rate for each step.
        longest: The norm to which gradients are clipped.
        keep: The share of the averaged weights that stays in a step; see `average`.

    Attributes:
        net: The network.
        averaged: The network of the averaged weights.
        done: The number of steps done.
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
        self._schedule = LambdaLR(optimizer, rates)
        self._longest, self._keep = longest, keep

    def step(self, loss: Tensor) -> None:
        """Take one step against the gradient of a loss."""
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), self._longest)
        self._optimizer.step()
        self._schedule.step()
        self.done += 1
        average(self.averaged, self.net, self.done, self._keep)

    def write(self, path: Path) -> None:
        """Write a file from which `read` continues."""
        parts = {name: part.state_dict() for name, part in self._parts().items()}
        # Into memory first: torch's own errors do not say what is wrong with a disk.
        data = io.BytesIO()
        torch.save(parts | {"done": self.done}, data)
        path.write_bytes(data.getbuffer())

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made.

        Args:
            path: The file; torch raises its own errors if it holds something else.
        """
        state = torch.load(path, weights_only=True)
        for name, part in self._parts().items():
            part.load_state_dict(state[name])
        self.done = int(state["done"])

    def _parts(self) -> dict[str, nn.Module | Optimizer | LRScheduler]:
        return {
            "net": self.net,
            "averaged": self.averaged,
            "optimizer": self._optimizer,
            "schedule": self._schedule,
        }


class Descending(Generic[_Net]):
    """The part of a course (`bots.library.learning.loop`) that a descent answers for.

    Attributes:
        descent: The descent, one step of which is one of the course.
    """

    descent: Descent[_Net]

    @property
    def done(self) -> int:
        """The number of steps done."""
        return self.descent.done

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""
        self.descent.read(path)

    def write(self, path: Path) -> None:
        """Write a file from which `read` continues."""
        self.descent.write(path)
