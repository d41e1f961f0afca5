"""The network of `bots.library.tricks.net` for torch: the same weights by the same names."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from bridge_arena.bots.library.learning.device import tensor
from bridge_arena.bots.library.learning.suit_modules import Mix, SuitTrunk
from bridge_arena.bots.library.tricks.net import INPUTS, LOGARITHMS, OUTPUTS, TricksNet


class Tricks(SuitTrunk):
    """The network from suits, n×4×`INPUTS`, to tricks.

    Args:
        width: The units of each layer.
        between: The layers between the first and the last.
    """

    def __init__(self, width: int, between: int) -> None:
        super().__init__(INPUTS, width, between)
        self.suits = Mix(width, OUTPUTS)
        self.notrump = nn.ModuleList([nn.Linear(width, width), nn.Linear(width, OUTPUTS)])

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the means and the logarithms of the deviations of the tricks, n×5×2 each."""
        x = self.trunk(x)
        before, last = self.notrump
        of_notrump = last(torch.relu(before(x.mean(dim=1))))
        found = torch.cat([self.suits(x), of_notrump[:, None]], dim=1).float()
        return found[..., :2] + 7, found[..., 2:]

    @classmethod
    def of(cls, net: TricksNet) -> Tricks:
        """Return the network with the weights of one in numpy."""
        width = len(net.weights["first.own.bias"])
        made = cls(width, net.between)
        made.load_state_dict({name: tensor(each) for name, each in net.weights.items()})
        return made


def deviations_of(logarithms: Tensor) -> Tensor:
    """Return deviations from their logarithms, cut to `LOGARITHMS`."""
    return logarithms.clamp(*LOGARITHMS).exp()


def in_both_orders(net: Tricks, suits: Tensor) -> tuple[Tensor, Tensor]:
    """Return means and deviations of tricks, as `TricksNet.estimate` does.

    They are the mean of the network's outputs for the pairs and for the pairs in the other order.

    Args:
        net: The network.
        suits: The pairs of hands, n×4×`INPUTS`.

    Returns:
        Means and deviations, n×5×2 each.
    """
    half = INPUTS // 2
    turned = torch.cat([suits[..., half:], suits[..., :half]], dim=-1)
    (mean, logarithms), (other, its) = net(suits), net(turned)
    return (mean + other.flip(-1)) / 2, deviations_of((logarithms + its.flip(-1)) / 2)
