"""The estimated costs of contracts for pairs of hands, with torch.

The tricks in some layouts of the opponents' hands are drawn from the estimate. In each of these
layouts a contract costs the IMPs between its points and those of the best contract, as in
`bots.library.learning.scores.costs_of`, which uses solved layouts.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from bridge_arena.bots.library.learning.device import quick, tensor
from bridge_arena.bots.library.learning.hands import Hands
from bridge_arena.bots.library.learning.scores import CONTRACTS, points_table
from bridge_arena.bots.library.tricks.modules import Tricks, in_both_orders
from bridge_arena.bots.library.tricks.net import TricksNet, suits_of
from bridge_arena.bridge.scoring import imps

_STEPS = [points for points in range(1, 4001) if imps(points) > imps(points - 1)]
"""The differences in points at which the next IMP begins."""


class Labels:
    """The costs of contracts by an estimate of tricks.

    Args:
        net: The network that estimates the tricks.
        layouts: How many layouts are drawn for each pair of hands.
    """

    def __init__(self, net: TricksNet, layouts: int = 8) -> None:
        self._layouts = layouts
        self._net = Tricks.of(net).to(quick()).requires_grad_(requires_grad=False)
        self._mixing = torch.linalg.cholesky(tensor(net.correlation))
        # The points of the seven contracts, by denomination and tricks: 5×14×7.
        table = tensor(points_table()[1:].astype(np.float32))
        self._points = table.reshape(7, 5, 14).permute(1, 2, 0).contiguous()
        self._steps = torch.tensor(_STEPS, dtype=torch.float32)

    @torch.no_grad()
    def costs(self, hands: Hands, partners: Hands) -> Tensor:
        """Return the cost of each contract in IMPs, n×36.

        The layouts are drawn from torch's generator.

        Args:
            hands: One hand of each pair, n×52.
            partners: The other hand of each pair, n×52.

        Returns:
            The mean cost over the layouts, n×36.
        """
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
        """Return mean and deviation of the tricks of the better declarer of the two, n×5 each."""
        suits = tensor(suits_of(hands, partners)).to(quick())
        of_both, deviation = in_both_orders(self._net, suits)
        mean, declarer = of_both.max(dim=2)
        return mean, deviation.gather(2, declarer[..., None])[..., 0]
