"""The network of `bots.library.hand2vec.net` for torch."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bridge_arena.bots.library.hand2vec.net import HIDDEN, MIDDLE, WIDTH
from bridge_arena.bots.library.learning.device import array


class Layers(nn.ModuleList):
    """Linear layers of the given widths, with ELU between them.

    Args:
        *widths: The inputs of the first layer, then the outputs of each layer.
    """

    def __init__(self, *widths: int) -> None:
        super().__init__(nn.Linear(before, after) for before, after in pairwise(widths))

    def forward(self, x: Tensor) -> Tensor:
        """Return the output of the last layer."""
        for number, layer in enumerate(self):
            x = layer(nn.functional.elu(x) if number else x)
        return x


class Hand2Vec(nn.Module):
    """The network from pairs of hands, n×52 each, through their vectors to tricks, n×5×2.

    Args:
        dimensions: The numbers of a vector.
    """

    def __init__(self, dimensions: int) -> None:
        super().__init__()
        self.embedding = Layers(52, HIDDEN, HIDDEN, dimensions)
        self.normal = nn.BatchNorm1d(dimensions, affine=False)
        self.tricks = Layers(2 * dimensions, WIDTH, WIDTH, 5)

    def forward(self, hands: Tensor, partners: Tensor) -> Tensor:
        """Return the tricks with either hand's owner as declarer.

        The vectors of all hands of a batch are normalised together.

        Args:
            hands: The first hand of each pair, n×52.
            partners: The second hand of each pair, n×52.

        Returns:
            The tricks, n×5×2.
        """
        one, other = self.normal(self.embedding(torch.cat([hands, partners]))).chunk(2)
        orders = torch.cat([torch.cat([one, other], 1), torch.cat([other, one], 1)])
        return torch.stack(self.tricks(orders).chunk(2), dim=2) + MIDDLE

    @torch.no_grad()
    def normalise(self, hands: Tensor) -> None:
        """Normalise so that the vectors of these hands, n×52, have mean 0, deviation 1."""
        raw = self.embedding(hands)
        assert self.normal.running_mean is not None
        assert self.normal.running_var is not None
        self.normal.running_mean.copy_(raw.mean(0))
        self.normal.running_var.copy_(raw.var(0))

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights for `bots.library.hand2vec.net`, normalisation folded in."""
        kept = ("embedding", "tricks")
        found = {
            name: array(each) for name, each in self.state_dict().items() if name.startswith(kept)
        }
        assert self.normal.running_mean is not None
        assert self.normal.running_var is not None
        scale = array((self.normal.running_var + self.normal.eps).rsqrt())
        weight, bias = (f"embedding.2.{part}" for part in ("weight", "bias"))
        found[weight] = found[weight] * scale[:, None]
        found[bias] = (found[bias] - array(self.normal.running_mean)) * scale
        return found
