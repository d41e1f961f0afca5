"""The network of `bots.library.tables.net` for torch: the same weights by the same names."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from bridge_arena.bots.library.tables.net import HEADS, INPUTS, OUTPUTS, SMALL, TRICKS


class Tables(nn.Module):
    """The network from suits, n×4×4×13, to logits of tricks, as the table stands.

    Args:
        width: The numbers of a token.
        layers: The number of layers.
    """

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.suit = nn.Linear(INPUTS, width)
        self.notrump = nn.Parameter(torch.zeros(width))
        self.layers = nn.ModuleList(_Layer(width) for _ in range(layers))
        self.out = nn.Linear(width, OUTPUTS)

    def forward(self, suits: Tensor) -> Tensor:
        """Return the logits, n×5×4×14."""
        number = len(suits)
        notrump = self.notrump.expand(number, 1, -1)
        x = torch.cat([self.suit(suits.reshape(number, 4, INPUTS)), notrump], dim=1)
        for layer in self.layers:
            x = layer(x)
        found: Tensor = self.out(_even(x)).reshape(number, 5, 4, TRICKS)
        return found


class _Layer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.looking = nn.Linear(width, 3 * width)
        self.seen = nn.Linear(width, width)
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        looking = self.looking(_even(x)).reshape(len(x), 5, 3, HEADS, -1)
        asked, shown, told = looking.permute(2, 0, 3, 1, 4)
        near = torch.softmax(asked @ shown.transpose(2, 3) * asked.shape[-1] ** -0.5, dim=-1)
        x = x + self.seen((near @ told).transpose(1, 2).reshape(x.shape))
        found: Tensor = x + self.narrow(torch.relu(self.wide(_even(x))))
        return found


def _even(x: Tensor) -> Tensor:
    return nn.functional.layer_norm(x, x.shape[-1:], eps=SMALL)
