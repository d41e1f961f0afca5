"""The layers of `bots.library.learning.suits` for torch: the same weights by the same names."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Mix(nn.Module):
    """A layer over suits: of each, and of the mean of all."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.own = nn.Linear(inputs, outputs)
        self.all = nn.Linear(inputs, outputs, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.own(x) + self.all(x.mean(dim=1, keepdim=True))
        return found


class Step(nn.Module):
    """What a layer adds to what there was; nothing, before it learns."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mix = Mix(width, width)
        self.out = nn.Linear(width, width)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = x + self.out(torch.relu(self.mix(x)))
        return found


class SuitTrunk(nn.Module):
    """The first layer, then `steps` that each add something: n×4×width of n×4×inputs."""

    def __init__(self, inputs: int, width: int, steps: int) -> None:
        super().__init__()
        self.first = Mix(inputs, width)
        self.steps = nn.ModuleList(Step(width) for _ in range(steps))

    def trunk(self, x: Tensor) -> Tensor:
        x = torch.relu(self.first(x))
        for step in self.steps:
            x = step(x)
        return x
