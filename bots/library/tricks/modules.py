"""The net of `bots.library.tricks.net` for torch: the same weights by the same names."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from bridge_arena.bots.library.learning.device import tensor
from bridge_arena.bots.library.learning.suit_modules import Mix, SuitTrunk
from bridge_arena.bots.library.tricks.net import INPUTS, LOGARITHMS, OUTPUTS, TricksNet


class Tricks(SuitTrunk):
    """Means and logarithms of deviations of tricks, n×5×2 each, of suits, n×4×`INPUTS`."""

    def __init__(self, width: int, between: int) -> None:
        super().__init__(INPUTS, width, between)
        self.suits = Mix(width, OUTPUTS)
        self.notrump = nn.ModuleList([nn.Linear(width, width), nn.Linear(width, OUTPUTS)])

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = self.trunk(x)
        before, last = self.notrump
        of_notrump = last(torch.relu(before(x.mean(dim=1))))
        found = torch.cat([self.suits(x), of_notrump[:, None]], dim=1).float()
        return found[..., :2] + 7, found[..., 2:]

    @classmethod
    def of(cls, net: TricksNet) -> Tricks:
        """With the weights of a net."""
        width = len(net.weights["first.own.bias"])
        made = cls(width, net.between)
        made.load_state_dict({name: tensor(each) for name, each in net.weights.items()})
        return made


def deviations_of(logarithms: Tensor) -> Tensor:
    """Of their logarithms, within `LOGARITHMS`."""
    return logarithms.clamp(*LOGARITHMS).exp()


def in_both_orders(net: Tricks, suits: Tensor) -> tuple[Tensor, Tensor]:
    """Means and deviations, as `TricksNet.estimate` has them: the mean of what the net says of
    pairs of hands and of the same in the other order."""
    half = INPUTS // 2
    turned = torch.cat([suits[..., half:], suits[..., :half]], dim=-1)
    (mean, logarithms), (other, its) = net(suits), net(turned)
    return (mean + other.flip(-1)) / 2, deviations_of((logarithms + its.flip(-1)) / 2)
