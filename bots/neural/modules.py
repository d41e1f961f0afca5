"""The networks in torch, as they are trained; `bots.neural.net` reads what they become."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bridge_arena.bots.deepq.features import FEATURES
from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.device import array
from bridge_arena.bots.neural.features import PUBLIC
from bridge_arena.bots.neural.net import SHOWN
from bridge_arena.bridge.calls import CALLS


class _Deep(nn.Module):
    """Layers that each add to what comes in."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))

    def deep(self, x: Tensor) -> Tensor:
        for layer in self.hidden:
            x = x + torch.relu(layer(x))
        return x


class CallsNet(_Deep):
    """Rates calls."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__(width, layers)
        self.hand = nn.Linear(FEATURES, width)
        self.seen = nn.Linear(PUBLIC, width, bias=False)
        self.out = nn.Linear(width, len(CALLS))
        self.value = nn.Linear(width, 1)

    def forward(self, held: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Ratings n×38 and values n, in IMPs. `held`: what `hand` makes of the hands' features;
        `seen`: what is public, as numbers."""
        x = self.deep(torch.relu(held + self.seen(seen)))
        return self.out(x), self.value(x)[:, 0]


class MeaningsNet(_Deep):
    """Says what hands made the calls."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__(width, layers)
        self.seen = nn.Linear(PUBLIC, width)
        self.out = nn.Linear(width, SHOWN)

    def forward(self, seen: Tensor) -> Tensor:
        found: Tensor = self.out(self.deep(torch.relu(self.seen(seen))))
        return found


def weights(calls: nn.Module, meanings: nn.Module) -> dict[str, NDArray[np.float32]]:
    """As `bots.neural.net.Nets` takes them."""
    return {
        f"{kind}.{name}": array(value.float())
        for kind, net in (("calls", calls), ("meanings", meanings))
        for name, value in net.state_dict().items()
    }


def write(calls: nn.Module, meanings: nn.Module, path: Path) -> None:
    """The file that `bots.neural.net.Nets` reads, in half precision. Raises OSError."""
    write_halved(path, weights(calls, meanings))
