"""Provide the Q-networks of Yeh, Hsieh and Lin (section III), one for each bid of an auction.

There are no opponents. A network sees the bidder's hand, 52 numbers of 0 and 1 with the spades
first, and which of 36 bids were made so far. It gives the final cost of each of the 36, in units of
`SCALE` IMPs. The bids are Pass, 1C .. 7NT. A repeated bid agrees to it, so that there is no pass
after the first bid.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from bridge_arena.bots.library.learning.scores import CONTRACTS

SCALE = 25.0
"""IMPs that are 1 for the networks."""

ILLEGAL = 1.2
"""The cost of a bid below the last one, in units of `SCALE` IMPs."""

CARDS = 52
INPUTS = CARDS + CONTRACTS
WIDTH = 128

_AT_ONCE = 4096
"""Pairs of hands."""


class QNets(nn.Module):
    """The networks of an auction, each with three layers of 128.

    Their weights are side by side, calls×inputs×outputs, as they learn together. `more` is the
    number of outputs beside the 36 costs.
    """

    def __init__(self, calls: int, more: int = 0) -> None:
        super().__init__()
        sizes = (INPUTS, WIDTH, WIDTH, WIDTH, CONTRACTS + more)
        # A hand has 13 cards, whatever the inputs.
        inputs = (13, WIDTH, WIDTH, 2 * WIDTH)
        self.weights = nn.ParameterList(
            torch.randn(calls, before, after) * (2 / number) ** 0.5
            for before, after, number in zip(sizes, sizes[1:], inputs, strict=False)
        )
        self.biases = nn.ParameterList(torch.zeros(calls, 1, size) for size in sizes[1:])
        with torch.no_grad():
            self.weights[0].mul_(0.5)
            self.weights[3].mul_(0.5)
            self.biases[3][..., :CONTRACTS] = 1.0  # the paper's begin with rewards about 0

    def __len__(self) -> int:
        return len(self.biases[0])

    def forward(self, x: Tensor) -> Tensor:
        """Apply all networks at once: from calls×n×`INPUTS` to calls×n×outputs."""
        for layer in range(3):
            x = torch.baddbmm(self.biases[layer], x, self.weights[layer]).relu()
        return torch.baddbmm(self.biases[3], x, self.weights[3])

    def hand(self, call: int, hands: Tensor) -> Tensor:
        """Return the hands' part of the sums of a network's first layer, n×128."""
        return torch.addmm(self.biases[0][call], hands, self.weights[0][call, :CARDS])

    def bids(self, call: int) -> Tensor:
        """Return what each bid adds to the sums of the first layer, 36×128."""
        added: Tensor = self.weights[0][call, CARDS:]
        return added

    def rest(self, call: int, sums: Tensor) -> Tensor:
        """Return the outputs of a network for sums of the first layer, n×outputs."""
        x = sums.relu()
        for layer in (1, 2):
            x = torch.addmm(self.biases[layer][call], x, self.weights[layer][call]).relu_()
        return torch.addmm(self.biases[3][call], x, self.weights[3][call])

    def found(self, call: int, hands: Tensor, bits: Tensor) -> Tensor:
        """Return a network's outputs for hands, n×52, and bids so far, n×36 of 0 and 1."""
        return self.rest(call, self.hand(call, hands) + bits @ self.bids(call))

    @torch.no_grad()
    def bid(self, hands: Tensor, opening: Tensor | None = None) -> Tensor:
        """Return the legal auctions of pairs of hands, n×2×52, as n×calls.

        -1 stands for bids after the end. `opening` has the first bids, n, where they are not the
        network's.
        """
        parts = [
            self._bid(hands[part], None if opening is None else opening[part])
            for part in (slice(start, start + _AT_ONCE) for start in range(0, len(hands), _AT_ONCE))
        ] or [self._bid(hands, opening)]
        return torch.cat(parts)

    def _bid(self, hands: Tensor, opening: Tensor | None) -> Tensor:
        made = torch.full((len(hands), len(self)), -1)
        on = torch.arange(len(hands))
        for call in range(len(self)):
            last = made[on].max(dim=1).values
            if call == 0 and opening is not None:
                bid = opening
            else:
                costs = self.found(call, hands[on, call % 2], bits_of(made[on]))[:, :CONTRACTS]
                bid = of_legal(costs, last).argmin(dim=1)
            made[on, call] = bid
            on = on[bid > last]
        return made


def of_legal(costs: Tensor, last: Tensor) -> Tensor:
    """Return the costs of bids, n×36, with infinity for those below the last bid, n."""
    return costs.masked_fill(torch.arange(CONTRACTS) < last[:, None], torch.inf)


def bits_of(made: Tensor) -> Tensor:
    """Return bids, n×any with -1 for none, as n×36 of 0 and 1."""
    bits = torch.zeros(len(made), CONTRACTS + 1)
    return bits.scatter(1, made + 1, 1.0)[:, 1:]


def contracts_of(made: Tensor) -> Tensor:
    """Return the last bid of each auction, n; -1 where there is none."""
    return made.max(dim=1).values
