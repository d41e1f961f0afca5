"""Choosing between close calls by simulation (Borel simulation, as Ginsberg's GIB did).

In each sampled world every candidate call is made, and the bidding system bids the
auction out for all four seats. The contracts are scored double dummy, and a candidate
replaces the system's choice only where it gains IMPs beyond doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo.parallel import is_up, map_in_time
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import PASS, Call, Contract, Denomination
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import Seat, Side, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks

LEAST_WORLDS = 10
"""Fewer worlds change no call."""

LEAST_GAIN = 1.0
"""IMPs a board that another call must gain on average. The double-dummy result of a
contract flatters it, and sampled worlds are only as good as what the calls promised."""

LEAST_ERRORS = 2.0
"""The standard errors that the gain must exceed zero by."""

LONGEST = 40
"""Calls, after which everybody passes in a projected auction: systems may run in circles."""

Request = tuple[Hands, Denomination, Seat]
"""A world, and who plays it in what."""


def gains_of(
    system: System,
    auction: Auction,
    vulnerability: Vulnerability,
    options: Sequence[MadeCall],
    batches: Iterable[Sequence[Hands]],
    until: float | None = None,
) -> list[list[int]]:
    """The IMPs that each option of `auction.turn` gains over the first in each world of the
    batches.

    `until`: a time of `time.monotonic()`; worlds not bid out and solved by then are left
    out, so that it is passed by the bidding out of one option at most. Raises SolverError.
    """
    gains: list[list[int]] = [[] for _ in options]
    for batch in batches:
        for scores in _scores(system, auction, vulnerability, options, batch, until):
            for gain, score in zip(gains, scores, strict=True):
                gain.append(imps(score - scores[0]))
        if is_up(until):
            break
    return gains


def best_call(options: Sequence[MadeCall], gains: Sequence[Sequence[int]]) -> MadeCall:
    """The option that is best by its gains over the first, which is the system's choice: that,
    unless another is clearly better."""
    best, most = options[0], 0.0
    for option, gain in zip(options[1:], gains[1:], strict=True):
        if is_clear(gain) and fmean(gain) > most:
            best, most = option, fmean(gain)
    return best


def is_clear(gains: Sequence[int]) -> bool:
    """Whether gains in IMPs, one a world, are worth a change of call."""
    if len(gains) < LEAST_WORLDS:
        return False
    mean = fmean(gains)
    return mean > LEAST_GAIN and mean > LEAST_ERRORS * stdev(gains) / sqrt(len(gains))


def project(
    system: System, auction: Auction, vulnerability: Vulnerability, hands: Hands, call: Call
) -> Contract | None:
    """The contract when `call` is made and the system bids on for all four hands; None
    when the board is passed out."""
    auction = auction.copy()
    auction.push(call)
    while not auction.is_over:
        call = PASS
        if len(auction.calls) < LONGEST:
            chosen = system.choose(hands[auction.turn], auction, vulnerability).call
            call = chosen if auction.is_legal(chosen) else PASS
        auction.push(call)
    return auction.contract


def _scores(
    system: System,
    auction: Auction,
    vulnerability: Vulnerability,
    options: Sequence[MadeCall],
    worlds: Sequence[Hands],
    until: float | None,
) -> list[list[int]]:
    """For each world in which the time sufficed, the caller's points by option. Where all
    options reach the same contract nothing is solved: the points are all 0."""
    projected = list(_bid_out(system, auction, vulnerability, options, worlds, until))
    requests: dict[Request, None] = {
        (world, contract.denomination, contract.declarer): None
        for world, contracts in projected
        if len(set(contracts)) > 1
        for contract in contracts
        if contract is not None
    }
    solved = dict(zip(requests, map_in_time(declarer_tricks, list(requests), until), strict=True))
    sign = 1 if auction.turn.side == Side.NS else -1
    scores: list[list[int]] = []
    for world, contracts in projected:
        if len(set(contracts)) == 1:
            scores.append([0] * len(options))
            continue
        tricks = [
            0 if contract is None else solved[world, contract.denomination, contract.declarer]
            for contract in contracts
        ]
        points = [
            sign * score_ns(contract, taken, vulnerability)
            for contract, taken in zip(contracts, tricks, strict=True)
            if taken is not None
        ]
        if len(points) == len(options):
            scores.append(points)
    return scores


def _bid_out(
    system: System,
    auction: Auction,
    vulnerability: Vulnerability,
    options: Sequence[MadeCall],
    worlds: Sequence[Hands],
    until: float | None,
) -> Iterator[tuple[Hands, list[Contract | None]]]:
    """The worlds in which the time sufficed, with the contract that each option leads to."""
    for world in worlds:
        contracts: list[Contract | None] = []
        for option in options:
            if is_up(until):
                return
            contracts.append(project(system, auction, vulnerability, world, option.call))
        yield world, contracts


def declarer_tricks(request: Request) -> int:
    """The tricks that declarer takes double dummy."""
    world, denomination, declarer = request
    return 13 - best_tricks(Position(world, denomination.trump, declarer.next))
