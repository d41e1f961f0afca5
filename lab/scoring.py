"""The scores of contracts double dummy; what both rooms have in common is not solved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.scores import risks_table
from bridge_arena.bots.library.many_auctions.boards import imps
from bridge_arena.bridge.calls import DENOMINATIONS
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.lab.bidding import Bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import UNKNOWN, Match
from bridge_arena.oracle.contract_tricks import Request

Solve = Callable[[Sequence[Request]], Sequence[int]]
"""Returns the tricks of requests, all of which differ, in their order."""


def scored(boards: LabBoards, bids: Sequence[Bid], solve: Solve) -> tuple[Match, ...]:
    cells = [_cells(bid) for bid in bids]
    known = _solved(boards, np.unique(np.concatenate([cell[cell >= 0] for cell in cells])), solve)
    return tuple(
        _match(boards, bid, np.where(cell >= 0, known[cell], UNKNOWN).astype(np.uint8))
        for bid, cell in zip(bids, cells, strict=True)
    )


def differs(bid: Bid) -> NDArray[np.bool_]:
    """Return whether the rooms reached different contracts, n."""
    differs: NDArray[np.bool_] = bid.contracts[:, 0] != bid.contracts[:, 1]
    return differs


def points_of(boards: LabBoards, bid: Bid, tricks: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return North-South's points, n×2, for declarer's tricks, n×2; `UNKNOWN` counts 0 points."""
    rows = np.arange(len(boards))[:, None]
    vulnerable = boards.vulnerable[rows, bid.declarer % 2].astype(np.int64)
    known = tricks != UNKNOWN
    made = _table()[vulnerable, bid.risk, bid.bid, np.where(known, tricks, 0)]
    return np.where(known, np.where(bid.declarer % 2 == 0, made, -made), 0)


def _match(boards: LabBoards, bid: Bid, tricks: NDArray[np.uint8]) -> Match:
    points = points_of(boards, bid, tricks)
    return Match(bid, tricks, points, imps(points[:, 0] - points[:, 1]))


def _cells(bid: Bid) -> NDArray[np.int64]:
    """Return what is to be solved, n×2: row×20 + denomination×4 + declarer; -1 for nothing."""
    needed = differs(bid)[:, None] & (bid.bid > 0)
    row = np.arange(len(bid))[:, None]
    return np.where(needed, row * 20 + (bid.bid - 1) % 5 * 4 + bid.declarer, -1)


def _solved(boards: LabBoards, cells: NDArray[np.int64], solve: Solve) -> NDArray[np.int64]:
    """Return the tricks of cells, at their places."""
    if boards.tricks is not None:
        return boards.tricks.reshape(-1).astype(np.int64)
    known = np.full(20 * len(boards), UNKNOWN, np.int64)
    deals: dict[int, Deal] = {}
    requests: list[Request] = []
    for cell in cells.tolist():
        row, rest = divmod(cell, 20)
        if row not in deals:
            deals[row] = boards.deal(row)
        requests.append((deals[row], SEATS[rest % 4], DENOMINATIONS[rest // 4]))
    known[cells] = solve(requests)
    return known


@lru_cache(maxsize=1)
def _table() -> NDArray[np.int64]:
    return risks_table()
