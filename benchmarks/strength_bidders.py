"""Compare the contracts of bidding systems with par, and with the recorded contracts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.deepq import best_known
from benchmarks.figures import figure, p_value
from benchmarks.kept_boards import on_each
from benchmarks.markdown_table import table
from benchmarks.papers.uncontested import contracts_by_system
from benchmarks.progress import progress
from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.library.learning.scores import costs_of
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DENOMINATIONS, Call, Contract, Risk
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solved_deals import SolvedDeals
from bridge_arena.recorded.checkpoint import Checkpoint

SYSTEMS: dict[str, SystemName] = {
    "baseline": "simple",
    "natural": "natural",
    "deepq": "deepq",
    "qtable": "qtable",
    "neural": "neural",
}
"""The bots that bid, and the systems by which they do."""

SLAM = 12
"""The tricks of a small slam."""


class Reached(NamedTuple):
    """What a contract is, double dummy.

    Attributes:
        missed: The IMPs between its score and par, either way.
        doubled: Whether it is doubled or redoubled.
        slam: Whether it is a slam of a side that has twelve tricks in some denomination.
        down: Whether it is a slam that goes down.
    """

    missed: int
    doubled: bool
    slam: bool
    down: bool


def reached(contract: Contract | None, board: Board, solved: DoubleDummyTable) -> Reached:
    best = par(solved, board.dealer, board.vulnerability).score
    if contract is None:
        return Reached(abs(imps(best)), doubled=False, slam=False, down=False)
    tricks = solved.tricks(contract.denomination, contract.declarer)
    missed = abs(imps(score_ns(contract, tricks, board.vulnerability) - best))
    is_slam = contract.tricks_needed >= SLAM
    return Reached(
        missed,
        doubled=contract.risk != Risk.UNDOUBLED,
        slam=is_slam and has_slam(solved, contract.declarer.side),
        down=is_slam and tricks < contract.tricks_needed,
    )


def has_slam(solved: DoubleDummyTable, side: Side) -> bool:
    """Return whether a side takes twelve tricks in some denomination."""
    return any(
        solved.tricks(denomination, seat) >= SLAM
        for denomination in DENOMINATIONS
        for seat in SEATS
        if seat.side == side
    )


def bidding(name: str) -> Callable[[BoardRecord], str]:
    """Return the auction of four players of a bot on the board of a record, as a function."""
    bidder = system(SYSTEMS[name])

    def bid_out(record: BoardRecord) -> str:
        board = record.board
        auction = Auction(board.dealer)
        while not auction.is_over:
            hand = board.deal[auction.turn]
            auction.push(bidder.call(hand, auction, board.vulnerability))
        return " ".join(map(str, auction.calls))

    return bid_out


def contract_of(board: Board, calls: str) -> Contract | None:
    return Auction(board.dealer, [Call(call) for call in calls.split()]).contract


def near_par(
    names: Sequence[str],
    records: Sequence[BoardRecord],
    solved: Sequence[DoubleDummyTable],
    kept: Checkpoint,
) -> str:
    """Return the table of the bidders, four of a kind at the table, and of the record."""
    boards = [record.board for record in records]
    contracts = {"WBridge5": [record.contract for record in records]}
    for name in names:
        auctions = on_each(name, records, bidding(name), kept)
        contracts[f"`{name}`"] = list(map(contract_of, boards, auctions))
    slams = sum(has_slam(each, side) for each in solved for side in Side)
    rows: list[list[str]] = []
    recorded = None
    for bidder_name, bid in contracts.items():
        found = np.array(
            [reached(*each) for each in zip(bid, boards, solved, strict=True)], np.int64
        )
        missed, doubled, slam, down = found.T
        recorded = missed if recorded is None else recorded
        more = missed - recorded
        compared = [figure(more, 2, "+"), p_value(more)] if more.any() else ["", ""]
        share = f"{doubled.mean():.1%}"
        rows.append([bidder_name, figure(missed, 2), *compared, share, f"{slam.sum()}"])
        rows[-1].append(f"{down.sum()}")
    heads = ["contracts of", "IMPs from par", "more than WBridge5's", "", "doubled"]
    heads += [f"slams bid of {slams}", "slams that go down"]
    return table(heads, rows)


def uncontested(names: Sequence[str], solved: SolvedDeals) -> str:
    """Return the table of what the contracts of North and South cost if the opponents pass."""
    hands, partners = (solved.hands(seat) for seat in (Seat.NORTH, Seat.SOUTH))
    costs = costs_of(solved.tricks[:, None, :, [Seat.NORTH, Seat.SOUTH]])
    contracts = {"both hands known": best_known(hands, partners)}
    for name in names:
        progress(f"{name} bids {len(solved)} pairs of hands")
        bidder = system(SYSTEMS[name])
        contracts[f"`{name}`"] = np.array(list(contracts_by_system(bidder, hands, partners)))
    rows = []
    for bidder_name, chosen in contracts.items():
        rows.append([bidder_name, figure(costs[np.arange(len(costs)), chosen], 2)])
    return table(["contracts of", "IMPs a pair below the best contract"], rows)
