"""What contracts cost pairs of hands, as estimated, with torch.

The tricks of some layouts of the other hands are drawn from the estimate, and each contract
costs in each of them the IMPs between its points and those of the best, as
`bots.library.learning.scores.costs_of` has it with solved layouts.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from bridge_arena.bots.library.learning.device import tensor
from bridge_arena.bots.library.learning.hands import Hands
from bridge_arena.bots.library.learning.scores import CONTRACTS, points_table
from bridge_arena.bots.library.tricks.modules import Tricks, in_both_orders
from bridge_arena.bots.library.tricks.net import TricksNet, suits_of
from bridge_arena.bridge.scoring import imps

_STEPS = [points for points in range(1, 4001) if imps(points) > imps(points - 1)]
"""The differences in points at which another IMP begins."""


class Labels:
    """Costs by an estimate of tricks."""

    def __init__(self, net: TricksNet, layouts: int = 8) -> None:
        self._layouts = layouts
        self._net = Tricks.of(net).bfloat16().requires_grad_(requires_grad=False)
        self._mixing = torch.linalg.cholesky(tensor(net.correlation))
        # By denomination and tricks: 5×14×7, the points of the seven contracts.
        table = tensor(points_table()[1:].astype(np.float32))
        self._points = table.reshape(7, 5, 14).permute(1, 2, 0).contiguous()
        self._steps = torch.tensor(_STEPS, dtype=torch.float32)

    @torch.no_grad()
    def costs(self, hands: Hands, partners: Hands) -> Tensor:
        """IMPs of each contract, n×36; the layouts are drawn from torch's generator."""
        mean, deviation = self._tricks(hands, partners)
        number = len(mean)
        off = torch.randn(number, self._layouts, 5) @ self._mixing.T
        tricks = (mean[:, None] + deviation[:, None] * off).round().clamp(0, 13).long()
        by_denomination = self._points[torch.arange(5), tricks]
        bids = by_denomination.transpose(2, 3).reshape(number, -1, CONTRACTS - 1)
        points = torch.cat([torch.zeros_like(bids[..., :1]), bids], dim=2)
        short = points.max(dim=2, keepdim=True).values - points
        return torch.bucketize(short, self._steps, right=True).float().mean(dim=1)

    def _tricks(self, hands: Hands, partners: Hands) -> tuple[Tensor, Tensor]:
        """Mean and deviation of the tricks of whoever takes more, n×5 each."""
        suits = tensor(suits_of(hands, partners)).bfloat16()
        of_both, deviation = in_both_orders(self._net, suits)
        mean, declarer = of_both.max(dim=2)
        return mean, deviation.gather(2, declarer[..., None])[..., 0]
