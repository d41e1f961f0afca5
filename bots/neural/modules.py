"""The networks in torch, as they are trained; `bots.neural.net` reads the trained ones."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bridge_arena.bots.library.learning.device import array, tensor
from bridge_arena.bots.library.learning.hands import FEATURES
from bridge_arena.bots.neural.net import PUBLIC, SHOWN, Nets
from bridge_arena.bridge.calls import CALLS


class _Deep(nn.Module):
    """Residual layers."""

    prefix: ClassVar[str]
    """What the names of its weights begin with in `Nets.weights`."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))

    def deep(self, x: Tensor) -> Tensor:
        """Return the output of the last layer."""
        for layer in self.hidden:
            x = x + torch.relu(layer(x))
        return x

    @classmethod
    def of(cls, nets: Nets) -> Self:
        """Return the network with the weights of one in numpy."""
        own = {
            name.removeprefix(cls.prefix): tensor(weight)
            for name, weight in nets.weights.items()
            if name.startswith(cls.prefix)
        }
        layers = sum(name.startswith("hidden.") for name in own) // 2
        made = cls(own["out.weight"].shape[1], layers)
        made.load_state_dict(own)
        return made


class CallsNet(_Deep):
    """The network that rates calls, of `layers` residual layers of `width` units."""

    prefix = "calls."

    def __init__(self, width: int, layers: int) -> None:
        super().__init__(width, layers)
        self.hand = nn.Linear(FEATURES, width)
        self.seen = nn.Linear(PUBLIC, width, bias=False)
        self.out = nn.Linear(width, len(CALLS))
        self.value = nn.Linear(width, 1)

    def forward(self, held: Tensor, known: Tensor) -> tuple[Tensor, Tensor]:
        """Return the ratings of the calls, n×38, and the values of the hands, n, in IMPs."""
        x = self.deep(torch.relu(held + self.seen(known)))
        return self.out(x), self.value(x)[:, 0]


class MeaningsNet(_Deep):
    """The network that tells what hands made the calls, of such layers too."""

    prefix = "meanings."

    def __init__(self, width: int, layers: int) -> None:
        super().__init__(width, layers)
        self.seen = nn.Linear(PUBLIC, width)
        self.out = nn.Linear(width, SHOWN)

    def forward(self, known: Tensor) -> Tensor:
        """Return the logits of what the hands hold, n×`SHOWN`."""
        logits: Tensor = self.out(self.deep(torch.relu(self.seen(known))))
        return logits


def weights(calls: CallsNet, meanings: MeaningsNet) -> dict[str, NDArray[np.float32]]:
    """Return the weights as `bots.neural.net.Nets` takes them."""
    return {
        f"{net.prefix}{name}": array(value.float())
        for net in (calls, meanings)
        for name, value in net.state_dict().items()
    }
