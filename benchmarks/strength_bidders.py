"""Have the bots bid: against each other, and beside par, the record and the best contracts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import compared, measured
from benchmarks.running import progress
from benchmarks.uncontested import best_known, contracts_by_system
from bridge_arena.bots.library.bidding_systems import System, SystemName, system
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.learning.scores import costs_of
from bridge_arena.bots.registry import parse
from bridge_arena.bots.strength import REFERENCE, Contracts, Doubled, Figure, Matches
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DENOMINATIONS, Contract, Risk
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidding import Bid, bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import Match
from bridge_arena.lab.scoring import scored
from bridge_arena.oracle.contract_tricks import Request
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solved_deals import SolvedDeals

SYSTEMS: dict[str, SystemName] = {
    "baseline": "simple",
    "natural": "natural",
    "deepq": "deepq",
    "qtable": "qtable",
    "neural": "neural",
    "disciplined": "disciplined",
}
"""The bots that bid, and the systems by which they do."""

BOTH_KNOWN = "both hands known"
"""Who picks the contract with the most points to be expected, by the estimate of tricks."""

SEED = 1
"""The seed of the bidders' random choices."""

SLAM = 12
"""The tricks of a small slam."""


class Reached(NamedTuple):
    """What a contract is, double dummy."""

    missed: int  # the IMPs between its score and par, either way
    doubled: bool  # whether it is doubled or redoubled
    slam: bool  # whether it is a slam of a side that should bid one
    down: bool  # whether it is a slam that goes down


def reached(
    contract: Contract | None, board: Board, solved: DoubleDummyTable, slams: Collection[Side]
) -> Reached:
    """Return what a contract is worth; `slams` are the sides that should bid a slam."""
    best = par(solved, board.dealer, board.vulnerability).score
    if contract is None:
        return Reached(abs(imps(best)), doubled=False, slam=False, down=False)
    tricks = solved.tricks(contract.denomination, contract.declarer)
    missed = abs(imps(score_ns(contract, tricks, board.vulnerability) - best))
    is_slam = contract.tricks_needed >= SLAM
    return Reached(
        missed,
        doubled=contract.risk != Risk.UNDOUBLED,
        slam=is_slam and contract.declarer.side in slams,
        down=is_slam and tricks < contract.tricks_needed,
    )


def slam_sides(
    boards: Sequence[Board], solved: Sequence[DoubleDummyTable]
) -> list[frozenset[Side]]:
    """Return for each board the sides that should bid a slam.

    Such a side takes twelve tricks in some denomination, double dummy. And by the estimate of
    tricks from its two hands, not vulnerable, a slam has the most points to be expected.
    """
    hands = hands_array(board.deal[seat] for board in boards for seat in SEATS).reshape(-1, 4, 52)
    expected = {}
    for side in Side:
        one, other = (seat for seat in SEATS if seat.side == side)
        levels = (best_known(hands[:, one], hands[:, other]) + 4) // 5
        expected[side] = levels + 6 >= SLAM
    return [
        frozenset(side for side in Side if expected[side][row] and has_slam(table, side))
        for row, table in enumerate(solved)
    ]


def has_slam(solved: DoubleDummyTable, side: Side) -> bool:
    """Return whether a side takes twelve tricks in some denomination."""
    return any(
        solved.tricks(denomination, seat) >= SLAM
        for denomination in DENOMINATIONS
        for seat in SEATS
        if seat.side == side
    )


def bid_out(bidder: System, board: Board) -> Contract | None:
    """Return the contract that four bidders of a kind reach."""
    auction = Auction(board.dealer)
    while not auction.is_over:
        hand = board.deal[auction.turn]
        auction.push(bidder.call(hand, auction, board.vulnerability))
    return auction.contract


def near_par(
    names: Sequence[str], records: Sequence[BoardRecord], solved: Sequence[DoubleDummyTable]
) -> dict[str, Contracts]:
    """Return what the contracts of four bidders of a kind are worth, and those of the record."""
    boards = [record.board for record in records]
    slams = slam_sides(boards, solved)
    possible = sum(map(len, slams))

    def values(contracts: Sequence[Contract | None]) -> NDArray[np.int64]:
        rows = zip(contracts, boards, solved, slams, strict=True)
        return np.array([reached(*row) for row in rows], np.int64)

    own = values([record.contract for record in records])
    contracts = {REFERENCE: _contracts(own, possible, None)}
    for name in names:
        progress(f"{name} bids {len(boards)} boards")
        bidder = system(SYSTEMS[name])
        of_bot = values([bid_out(bidder, board) for board in boards])
        more = compared(of_bot[:, 0] - own[:, 0])
        contracts[name] = _contracts(of_bot, possible, more)
    return contracts


def _contracts(reached_of: NDArray[np.int64], possible: int, more: Figure | None) -> Contracts:
    missed, doubled, slam, down = reached_of.T
    return Contracts(
        missed=measured(missed),
        more=more,
        doubled=round(float(doubled.mean()), 4),
        slams=int(slam.sum()),
        possible=possible,
        down=int(down.sum()),
    )


def uncontested(names: Sequence[str], solved: SolvedDeals) -> dict[str, Figure]:
    """Return what the contracts of North and South cost if the opponents pass."""
    hands, partners = (solved.hands(seat) for seat in (Seat.NORTH, Seat.SOUTH))
    costs = costs_of(solved.tricks[:, None, :, [Seat.NORTH, Seat.SOUTH]])
    contracts = {BOTH_KNOWN: best_known(hands, partners)}
    for name in names:
        progress(f"{name} bids {len(solved)} pairs of hands")
        bidder = system(SYSTEMS[name])
        contracts[name] = np.array(list(contracts_by_system(bidder, hands, partners)))
    rows = np.arange(len(costs))
    return {name: measured(costs[rows, chosen]) for name, chosen in contracts.items()}


def matches(names: Sequence[str], solved: SolvedDeals) -> tuple[Matches, Doubled]:
    """Return the matches in which at least one of some bidders takes part, double dummy."""
    boards = LabBoards.solved(solved, 1)
    matches: Matches = {}
    shares: Doubled = {}
    for one, other in combinations(SYSTEMS, 2):
        if {one, other} & {*names}:
            progress(f"{one} - {other}: {len(boards)} boards")
            played = match(one, other, boards)
            matches.setdefault(one, {})[other] = compared(played.imps)
            for (bidder, opponent), share in zip(
                ((one, other), (other, one)), doubled(played.bid), strict=True
            ):
                shares.setdefault(bidder, {})[opponent] = share
    return matches, shares


def match(one: str, other: str, boards: LabBoards) -> Match:
    """Return a match of bidders, double dummy."""
    makers = parse(one)[1], parse(other)[1]
    (played,) = scored(boards, [bid(boards, *makers, DealKey.of_seed(SEED))], _unknown)
    return played


def doubled(auctions: Bid) -> tuple[float, float]:
    """Return how often the contracts of the first bidder, and of the other, are doubled."""
    of_first = auctions.declarer % 2 == (0, 1)
    at_risk = auctions.risk > 0
    first, other = (float((at_risk & of_one).mean()) for of_one in (of_first, ~of_first))
    return round(first, 4), round(other, 4)


def _unknown(requests: Sequence[Request]) -> Sequence[int]:
    raise AssertionError(f"{len(requests)} contracts of solved deals are not solved")
