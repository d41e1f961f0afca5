"""The choice between close calls by simulation (Borel simulation, as in Ginsberg's GIB).

In each sampled world every candidate call is made, and the bidding system completes the auction for
all four seats. The contracts are scored double dummy. A candidate replaces the system's choice only
if it clearly gains IMPs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

LEAST_WORLDS = 10  # the fewest worlds that may change a call

LEAST_GAIN = 1.0
"""The IMPs a board that another call must gain on average.

The double-dummy result of a contract flatters it, and sampled worlds are only as good as the
promises of the calls.
"""

LEAST_ERRORS = 2.0  # the number of standard errors by which the gain must exceed zero

LONGEST = 40
"""The number of calls after which everybody passes in a projected auction.

Systems may bid in circles.
"""

Request = tuple[Hands, Denomination, Seat]  # a world, the denomination, and declarer


def gains_of(
    system: System,
    auction: Auction,
    vulnerability: Vulnerability,
    options: Sequence[MadeCall],
    batches: Iterable[Sequence[Hands]],
    until: float | None = None,
) -> list[list[int]]:
    """Return the IMPs that each option gains over the first, the system's choice, in each world.

    Worlds that are not bid out and solved at `until`, a time of `time.monotonic()`, are left out,
    so the time is exceeded by at most one completed auction. None sets no limit.
    """

    def bid_out(world: Hands) -> list[Contract | None] | None:
        """Return the contract that each option leads to, or None if there is no time."""
        contracts: list[Contract | None] = []
        for option in options:
            if is_up(until):
                return None
            contracts.append(project(system, auction, vulnerability, world, option.call))
        return contracts

    gains: list[list[int]] = [[] for _ in options]
    for batch in batches:
        projected = [
            (world, contracts) for world in batch if (contracts := bid_out(world)) is not None
        ]
        for scores in _scores(projected, auction.turn.side, vulnerability, until):
            for gain, score in zip(gains, scores, strict=True):
                gain.append(imps(score - scores[0]))
        if is_up(until):
            break
    return gains


def best_call(
    options: Sequence[MadeCall], gains: Sequence[Sequence[float]], least: float = LEAST_GAIN
) -> MadeCall:
    """Return the first option, unless another clearly gains `least` IMPs or more on average."""
    best, most = options[0], 0.0
    for option, gain in zip(options[1:], gains[1:], strict=True):
        if is_clear(gain, least) and fmean(gain) > most:
            best, most = option, fmean(gain)
    return best


def is_clear(gains: Sequence[float], least: float = LEAST_GAIN) -> bool:
    """Return whether gains in IMPs, one for each world, justify a change of call."""
    if len(gains) < LEAST_WORLDS:
        return False
    mean = fmean(gains)
    return mean > least and mean > LEAST_ERRORS * stdev(gains) / sqrt(len(gains))


def project(
    system: System, auction: Auction, vulnerability: Vulnerability, hands: Hands, call: Call
) -> Contract | None:
    """Return the contract that a call leads to when the system bids on, or None if passed out."""
    auction = auction.copy()
    auction.push(call)
    while not auction.is_over:
        call = PASS
        if len(auction.calls) < LONGEST:
            chosen = system.call(hands[auction.turn], auction, vulnerability)
            call = chosen if auction.is_legal(chosen) else PASS
        auction.push(call)
    return auction.contract


def _scores(
    projected: Sequence[tuple[Hands, Sequence[Contract | None]]],
    side: Side,
    vulnerability: Vulnerability,
    until: float | None,
) -> list[list[int]]:
    """Return a side's points for each contract, in each world that there was time to solve."""
    # If all contracts of a world are the same, nothing is solved and the points are 0.
    requests: dict[Request, None] = {
        (world, contract.denomination, contract.declarer): None
        for world, contracts in projected
        if len(set(contracts)) > 1
        for contract in contracts
        if contract is not None
    }
    solved = dict(zip(requests, map_in_time(declarer_tricks, list(requests), until), strict=True))
    sign = 1 if side == Side.NS else -1
    scores: list[list[int]] = []
    for world, contracts in projected:
        if len(set(contracts)) == 1:
            scores.append([0] * len(contracts))
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
        if len(points) == len(contracts):
            scores.append(points)
    return scores


def declarer_tricks(request: Request) -> int:
    """Return the tricks that declarer takes double dummy."""
    world, denomination, declarer = request
    return 13 - best_tricks(Position(world, denomination.trump, declarer.next))
