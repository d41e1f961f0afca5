"""Many boards on a device: how they are dealt, and what contracts are worth on them.

Seats are counted from the dealer, as in `bots.library.many_auctions.boards`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import torch
from torch import Tensor

from bridge_arena.bots.library.learning.device import quick, tensor
from bridge_arena.bots.library.learning.hands import LONGEST, MOST_POINTS, POINTS
from bridge_arena.bots.library.learning.scores import imps_of, risks_table
from bridge_arena.bots.library.many_auctions import boards as arrays
from bridge_arena.bots.library.tables.net import TablesNet
from bridge_arena.bots.library.tables.training import Tables
from bridge_arena.bots.neural.tensors.auctions import Auctions
from bridge_arena.oracle.solved_deals import SolvedDeals

_AT_ONCE = 8192
"""Deals whose tables are estimated at once."""

_MOST_POINTS = 4000
"""The points that give the most IMPs."""


@dataclass(frozen=True, slots=True)
class Boards:
    """n boards to be bid.

    Attributes:
        hands: The hands, n×4×52, clockwise from the dealer.
        vulnerable: Whether the dealer's side and the other side are vulnerable, n×2.
        tricks: The double-dummy tricks, n×5×4: denominations from clubs, declarers from the dealer.
    """

    hands: Tensor
    vulnerable: Tensor
    tricks: Tensor

    def __len__(self) -> int:
        return len(self.hands)

    @classmethod
    def of(cls, boards: arrays.Boards, tricks: arrays.Tricks) -> Boards:
        """Return boards that are arrays."""
        return cls(tensor(boards.hands), tensor(boards.vulnerable), tensor(tricks.astype(np.int64)))

    def measures(self) -> Tensor:
        """Return the points of each hand, then its cards in each suit, clubs first, 4n×5."""
        hands = self.hands.reshape(-1, 52).float()
        points = hands @ tensor(POINTS.astype(np.float32))
        return torch.cat([points[:, None], hands.reshape(-1, 4, 13).sum(dim=2)], dim=1).long()

    def features(self) -> Tensor:
        """Return the features of the hands (`bots.deepq.features`), 4n×`FEATURES`."""
        measures = self.measures()
        long = measures[:, 1:, None] > torch.arange(LONGEST)
        strong = measures[:, :1] > torch.arange(MOST_POINTS)
        return torch.cat([self.hands.reshape(-1, 52), long.flatten(1), strong], dim=1).to(quick())

    def points(self, board: Tensor, auctions: Auctions) -> Tensor:
        """Return the points of the dealer's side for auctions that are over, n."""
        declarer, last = auctions.declarer, auctions.last
        taken = self.tricks[board, (last - 1) % 5, declarer]
        vulnerable = self.vulnerable[board, declarer % 2].long()
        made = _scores()[vulnerable, auctions.risk, last, taken]
        return torch.where(declarer % 2 == 0, made, -made)


def imps(differences: Tensor) -> Tensor:
    """Return the IMPs, -24 to 24, of differences in points."""
    return differences.sign() * _imps()[differences.abs().clamp(max=_MOST_POINTS)]


@torch.no_grad()
def dealt(number: int, estimate: Tables) -> Boards:
    """Return random boards with tricks drawn by their estimated odds (`tables.net.drawn`)."""
    order = torch.rand(number, 52).argsort(dim=1)
    holder = (torch.arange(52) // 13).expand(number, 52)
    seats = torch.empty_like(order).scatter_(1, order, holder)
    hands = seats[:, None] == torch.arange(4)[:, None]
    tricks = []
    for part in torch.split(hands, _AT_ONCE):
        luck = torch.rand(len(part), 5, 2).tile(1, 1, 2)[..., None]
        tricks.append((_odds(part, estimate)[..., :-1].cumsum(dim=-1) < luck).sum(dim=-1))
    return Boards(hands, torch.rand(number, 2) < 0.5, torch.cat(tricks))


def estimate_of(net: TablesNet) -> Tables:
    """Return the estimate of tables with the weights of one in numpy."""
    layers = sum(name.endswith("looking.weight") for name in net.weights)
    made = Tables(len(net.weights["notrump"]), layers)
    made.load_state_dict({name: tensor(value) for name, value in net.weights.items()})
    return made.requires_grad_(requires_grad=False)


def drawn(solved: SolvedDeals, number: int) -> Boards:
    """Return boards of solved deals, with random dealer, vulnerability and order of suits."""
    seats, tricks = tensor(solved.seats), tensor(solved.tricks)
    deals, dealers = torch.randint(len(seats), (number,)), torch.randint(4, (number,))
    orders = torch.tensor(list(permutations(range(4))))
    order = orders[torch.randint(len(orders), (number,))]
    rows = torch.arange(number)[:, None]
    holders = seats[deals].reshape(number, 4, 13)[rows, order].reshape(number, 52).long()
    from_dealer = (holders - dealers[:, None]) % 4
    denominations = torch.cat([order, torch.full((number, 1), 4)], dim=1)
    declarers = ((dealers[:, None] + torch.arange(4)) % 4)[:, None].expand(-1, 5, -1)
    return Boards(
        from_dealer[:, None] == torch.arange(4)[:, None],
        torch.rand(number, 2) < 0.5,
        tricks[deals].long()[rows, denominations].gather(2, declarers),
    )


def _odds(hands: Tensor, estimate: Tables) -> Tensor:
    """Return the odds of 0..13 tricks, n×5×4×14, the mean of all four turns of the table."""
    suits = hands.reshape(-1, 4, 4, 13).transpose(1, 2).float()
    turns = [
        torch.softmax(estimate(suits.roll(-turn, dims=2)), dim=-1).roll(turn, dims=2)
        for turn in range(4)
    ]
    return torch.stack(turns).mean(dim=0)


@lru_cache(maxsize=1)
def _scores() -> Tensor:
    return tensor(risks_table())


@lru_cache(maxsize=1)
def _imps() -> Tensor:
    return tensor(imps_of(np.arange(_MOST_POINTS + 1, dtype=np.float64)))
