"""The layers of `bots.library.learning.layers` for torch: the same weights by the same names."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Mix(nn.Module):
    """A layer over suits: it adds a function of each suit and a function of the mean of all."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.own = nn.Linear(inputs, outputs)
        self.all = nn.Linear(inputs, outputs, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return the output of the layer, n×4×outputs."""
        y: Tensor = self.own(x) + self.all(x.mean(dim=1, keepdim=True))
        return y


class Step(nn.Module):
    """A residual layer, which adds nothing before it has learned."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mix = Mix(width, width)
        self.out = nn.Linear(width, width)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Return the input plus the output of the layer."""
        y: Tensor = x + self.out(torch.relu(self.mix(x)))
        return y


class SuitTrunk(nn.Module):
    """The first layer, then residual layers: from n×4×inputs to n×4×width."""

    def __init__(self, inputs: int, width: int, steps: int) -> None:
        super().__init__()
        self.first = Mix(inputs, width)
        self.steps = nn.ModuleList(Step(width) for _ in range(steps))

    def trunk(self, x: Tensor) -> Tensor:
        """Return the output of the last layer, n×4×width."""
        x = torch.relu(self.first(x))
        for step in self.steps:
            x = step(x)
        return x
