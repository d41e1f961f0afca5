"""Tables where boards are only bid, many at once, and matches in two rooms."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, Tricks
from bridge_arena.bots.library.many_auctions.contracts import Contracts, Whole, imps


class Caller(Protocol):
    """A partnership that bids many boards at once."""

    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        """Return a legal call in each auction, n.

        Args:
            boards: The boards, n.
            auctions: The auctions of the boards, none of them over.

        Returns:
            The calls of the player whose turn it is.
        """
        ...


def bid_out(
    boards: Boards, dealers: Caller, others: Caller, auctions: Auctions | None = None
) -> Contracts:
    """Return the contracts of boards that one partnership bids against another.

    Args:
        boards: The boards.
        dealers: The partnership of the dealer's side.
        others: The partnership of the other side.
        auctions: The auctions so far; they begin if None.

    Returns:
        One contract for each board.
    """
    contracts = Contracts.unknown(len(boards))
    on = np.arange(len(boards))
    if auctions is None:
        auctions = Auctions(len(boards))
    while True:
        over = auctions.over
        ended, going = np.flatnonzero(over), np.flatnonzero(~over)
        contracts.put(on[ended], auctions.rows(ended))
        if not len(going):
            return contracts
        auctions, on = auctions.rows(going), on[going]
        caller = others if auctions.made % 2 else dealers
        auctions.push(caller.calls(boards.rows(on), auctions))


def match(boards: Boards, tricks: Tricks, first: Caller, second: Caller) -> Whole:
    """Return what one partnership wins against another, in IMPs.

    The boards are bid in two rooms and scored double dummy.

    Args:
        boards: The boards.
        tricks: Their double-dummy tricks.
        first: The partnership whose IMPs are counted; it has the dealer's side in the open room.
        second: The other partnership.

    Returns:
        The IMPs on each board, n.
    """
    open_room = bid_out(boards, first, second).points(boards, tricks)
    closed_room = bid_out(boards, second, first).points(boards, tricks)
    return imps(open_room - closed_room)
