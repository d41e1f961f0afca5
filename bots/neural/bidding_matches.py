"""Tables where boards are only bid, many at once, and matches in two rooms."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.neural.auctions import Auctions
from bridge_arena.bots.neural.boards import Boards, Tricks
from bridge_arena.bots.neural.results import Contracts, Whole, imps


class Caller(Protocol):
    """A partnership that bids many boards at once."""

    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        """A legal call of whose turn it is in each auction, n; none of them is over."""
        ...


def bid_out(boards: Boards, dealers: Caller, others: Caller) -> Contracts:
    """The contracts that the dealer's side reaches against the other."""
    contracts = Contracts.unknown(len(boards))
    auctions, on = Auctions(len(boards)), np.arange(len(boards))
    while len(on):
        caller = others if auctions.made % 2 else dealers
        auctions.push(caller.calls(boards.rows(on), auctions))
        over = auctions.over
        ended, going = np.flatnonzero(over), np.flatnonzero(~over)
        contracts.put(on[ended], auctions.rows(ended))
        auctions, on = auctions.rows(going), on[going]
    return contracts


def match(boards: Boards, tricks: Tricks, first: Caller, second: Caller) -> Whole:
    """What `first` wins of `second` on each board, in IMPs: the boards are bid in two rooms,
    scored double dummy."""
    open_room = bid_out(boards, first, second).points(boards, tricks)
    closed_room = bid_out(boards, second, first).points(boards, tricks)
    return imps(open_room - closed_room)
