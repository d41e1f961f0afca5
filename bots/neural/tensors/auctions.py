"""Many auctions at once on a device, by the rules of `bots.library.many_auctions.auctions`.

What is known of an auction is the same as there, and so is what a player sees. All auctions have
the same number of calls.
"""

from __future__ import annotations

import torch
from torch import Tensor

from bridge_arena.bots.library.many_auctions.auctions import BIDS, MARKS
from bridge_arena.bridge.calls import DOUBLE, FIRST_BID, PASS, REDOUBLE


class Auctions:
    """n auctions in progress, each with numbers that tell it apart.

    Attributes:
        made: The number of calls so far.
        labels: The numbers, n×k.
        marks: 1 for each thing that each seat has done, n×4×`MARKS`.
        last: The last bid as 1 (1C) to 35 (7NT), n; 0 if there is none.
        bidder: The seat that made the last bid, n, counted from the dealer.
        risk: 0, 1 if the last bid is doubled, 2 if it is redoubled, n.
        passes: The passes since the last other call, n.
        opening_passes: The passes before the first bid, n.
        named: The seat of each side that first named a denomination, n×2×5; -1 if none has.
    """

    __slots__ = (
        *("bidder", "labels", "last", "made", "marks", "named", "opening_passes", "passes"),
        "risk",
    )

    def __init__(self, labels: Tensor) -> None:
        number = len(labels)
        none = torch.zeros(number, dtype=torch.long)
        self.made = 0
        self.labels = labels
        self.marks = torch.zeros(number, 4, MARKS, dtype=torch.uint8)
        self.last = self.bidder = self.risk = self.passes = self.opening_passes = none
        self.named = torch.full((number, 2, 5), -1)

    def __len__(self) -> int:
        return len(self.last)

    @property
    def turn(self) -> int:
        """The seat that is to call."""
        return self.made % 4

    @property
    def over(self) -> Tensor:
        """Whether each auction is over, n."""
        return self.passes >= torch.where(self.last == 0, 4, 3)

    @property
    def declarer(self) -> Tensor:
        """The seat that would declare the last bid, n; without meaning if there is no bid."""
        rows = torch.arange(len(self))
        denomination = (self.last - 1).clamp(min=0) % 5
        return self.named[rows, self.bidder % 2, denomination].clamp(min=0)

    def legal(self) -> Tensor:
        """Return which calls are legal, n×38, in auctions that are not over."""
        bid, ours = self.last > 0, self.bidder % 2 == self.turn % 2
        others = [
            torch.ones_like(bid),
            bid & ~ours & (self.risk == 0),
            bid & ours & (self.risk == 1),
        ]
        higher = torch.arange(1, BIDS + 1) > self.last[:, None]
        return torch.cat([torch.stack(others, dim=1), higher], dim=1)

    def public(self, vulnerable: Tensor, viewer: int) -> Tensor:
        """Return what a seat knows without its cards (`bots.neural.features.public`)."""
        clockwise = torch.tensor([(viewer + seat) % 4 for seat in range(4)])
        bid, ours = self.last > 0, (self.bidder + viewer) % 2 == 0
        passes = self.passes.clamp(max=3)
        ends = [
            *(bid & ours, bid & ~ours, self.risk == 1, self.risk == 2),
            *(passes == number for number in (1, 2, 3)),
            *(vulnerable[:, viewer % 2], vulnerable[:, (viewer + 1) % 2]),
        ]
        parts = [
            self.marks[:, clockwise].flatten(1),
            self.opening_passes[:, None] > clockwise,
            torch.arange(1, BIDS + 1) == self.last[:, None],
            torch.stack(ends, dim=1),
        ]
        return torch.cat([part.to(torch.uint8) for part in parts], dim=1)

    def push(self, calls: Tensor) -> None:
        """Make a call in each auction; its legality is not checked.

        Args:
            calls: The calls, n; no auction may be over.
        """
        seat, side = self.turn, self.turn % 2
        is_pass, is_bid = calls == PASS, calls >= FIRST_BID
        doubles = (calls == DOUBLE) | (calls == REDOUBLE)
        which = (calls - FIRST_BID).clamp(min=0)
        self.opening_passes = self.opening_passes + (is_pass & (self.last == 0))
        self.passes = torch.where(is_pass, self.passes + 1, 0)
        mark = torch.where(is_bid, which, calls * BIDS + self.last - 1).clamp(min=0)[:, None]
        own = self.marks[:, seat]
        new = own.gather(1, mark) | (doubles | is_bid)[:, None].to(torch.uint8)
        own.scatter_(1, mark, new)
        self.risk = torch.where(doubles, calls, torch.where(is_bid, 0, self.risk))
        self.last = torch.where(is_bid, which + 1, self.last)
        self.bidder = torch.where(is_bid, seat, self.bidder)
        denomination, named = (which % 5)[:, None], self.named[:, side]
        first = named.gather(1, denomination)
        is_first = is_bid[:, None] & (first < 0)
        named.scatter_(1, denomination, torch.where(is_first, seat, first))
        self.made += 1

    def rows(self, chosen: Tensor) -> Auctions:
        """Return some of the auctions in a given order; one may come more than once."""
        found = Auctions.__new__(Auctions)
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(found, name, value if name == "made" else value[chosen])
        return found

    def joined(self, others: Auctions) -> Auctions:
        """Return these auctions and others, which have the same number of calls."""
        found = Auctions.__new__(Auctions)
        for name in self.__slots__:
            value = getattr(self, name)
            both = value if name == "made" else torch.cat([value, getattr(others, name)])
            setattr(found, name, both)
        return found
