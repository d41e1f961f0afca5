"""Measure the learned bidder against `natural`, and the speed of bidding many boards at once.

Boards are solved deals from files, with the dealer and vulnerability of their place in the file.
They are bid in two rooms, and scored double dummy. The rules of the auction for many boards at once
(`bots.library.many_auctions.auctions`) are timed against `bridge.auction` on the same calls.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import figure, timed
from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.learning.hands import hand_of
from bridge_arena.bots.library.many_auctions.auctions import Auctions, vulnerability
from bridge_arena.bots.library.many_auctions.boards import (
    Boards,
    Caller,
    Contracts,
    SystemCaller,
    Whole,
    bid_out,
    imps,
    in_turn,
)
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bots.neural.forcing import passes
from bridge_arena.bots.neural.meanings import FORCING
from bridge_arena.bots.neural.net import Nets, shipped
from bridge_arena.bots.neural.system import Neural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, PASS
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import Seat
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.common import deal_files, solved_deals
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solved_deals import SolvedDeals
from bridge_arena.tournaments.statistics.significance import sign_flip_p_value

_TIMED = 2000
"""Auctions that are timed."""

_ROUNDS = 5

_ASKED = 6000
"""Boards that four players of the kind bid, to see which calls partner passes."""


def environment() -> None:
    """Print the steps per second of processor time; a step is the legal calls and a call."""
    rng = np.random.default_rng(1)
    made = _random_auctions(rng, _TIMED)
    steps = sum(map(len, made))
    ratios = []
    for _ in range(_ROUNDS):
        (_, slow), (_, fast) = timed(partial(_alone, made)), timed(partial(_in_step, made))
        ratios.append((slow / fast, steps / slow, steps / fast))
    ratio, slow, fast = (median(column) for column in zip(*ratios, strict=True))
    print(f"| rules | {_TIMED:,} auctions, {steps:,} calls | steps per CPU-second |")
    print("| --- | --- | --- |")
    print(f"| `bridge.auction` | one by one | {slow:,.0f} |")
    print(f"| `many_auctions.auctions` | in step | {fast:,.0f}, {ratio:.1f} times as many |")


def _random_auctions(rng: np.random.Generator, number: int) -> list[list[int]]:
    """Return random auctions: mostly passes, low bids, and some doubles."""
    made: list[list[int]] = []
    for _ in range(number):
        auction = Auction(Seat.NORTH)
        while not auction.is_over:
            legal = auction.legal_calls()
            is_pass = rng.random() < 0.6
            auction.push(PASS if is_pass else legal[min(len(legal) - 1, 1 + int(rng.integers(5)))])
        made.append([int(call) for call in auction.calls])
    return made


def _alone(made: list[list[int]]) -> None:
    for calls in made:
        auction = Auction(Seat.NORTH)
        for call in calls:
            auction.legal_calls()
            auction.push(CALLS[call])


def _in_step(made: list[list[int]]) -> None:
    calls = np.full((len(made), max(map(len, made))), -1)
    for row, each in zip(calls, made, strict=True):
        row[: len(each)] = each
    auctions, on = Auctions(len(made)), np.arange(len(made))
    while len(on):
        auctions.legal()
        auctions.push(calls[on, auctions.made])
        going = np.flatnonzero(~auctions.over)
        auctions, on = auctions.rows(going), on[going]


def against(nets: Nets, solved: SolvedDeals) -> None:
    """Print the match with `natural`, and the time of a match between two nets."""
    boards, tricks = in_turn(solved)
    natural = SystemCaller()

    def play(other: Caller) -> list[Contracts]:
        return [bid_out(boards, nets, other), bid_out(boards, other, nets)]

    _, seconds = timed(lambda: play(nets))
    print(f"two nets: {len(boards):,} boards in two rooms in {seconds:.1f} CPU-seconds")
    rooms, seconds = timed(lambda: play(natural))
    won = imps(rooms[0].points(boards, tricks) - rooms[1].points(boards, tricks))
    redoubled = (rooms[0].risk == 2) | (rooms[1].risk == 2)
    doubled = ((rooms[0].risk == 1) | (rooms[1].risk == 1)) & ~redoubled
    print(f"net and `natural`: {seconds:.1f} CPU-seconds\n")
    print("| boards | number | IMPs a board | of all | sign-flip test |")
    print("| --- | --- | --- | --- | --- |")
    kinds = {
        "all": np.ones(len(won), np.bool_),
        "redoubled in a room": redoubled,
        "doubled in a room": doubled,
        "others": ~redoubled & ~doubled,
        "all, redoubled ones as flat": None,
    }
    for kind, chosen in kinds.items():
        own = np.where(redoubled, 0, won) if chosen is None else won[chosen]
        if len(own) < 2:
            continue
        share = f"{own.sum() / len(won):+.2f}"
        print(f"| {kind} | {len(own):,} | {figure(own, 2, '+')} | {share} | {_test(own)} |")


def near_par(nets: Nets, solved: SolvedDeals) -> None:
    """Print how far each bidder's contracts against itself are from par, in IMPs without sign."""
    boards, tricks = in_turn(solved)
    best = []
    for row in range(len(boards)):
        table = DoubleDummyTable(tuple(int(taken) for taken in tricks[row].reshape(-1)))
        vulnerable = vulnerability(*(bool(each) for each in boards.vulnerable[row]))
        best.append(par(table, Seat.NORTH, vulnerable).score)
    missed: list[NDArray[np.int64]] = []
    print("| contracts of | boards | IMPs from par |")
    print("| --- | --- | --- |")
    callers: list[tuple[str, Caller]] = [("`neural`", nets), ("`natural`", SystemCaller())]
    for name, caller in callers:
        points = bid_out(boards, caller, caller).points(boards, tricks)
        missed.append(np.abs(imps(points - np.array(best))))
        print(f"| {name} | {len(boards):,} | {figure(missed[-1], 2)} |")
    difference = missed[0] - missed[1]
    print(f"| difference | {len(boards):,} | {figure(difference, 2, '+')}, {_test(difference)} |")


def _test(found: Whole) -> str:
    p = sign_flip_p_value([int(each) for each in found])
    return "" if p is None else "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def audit(nets: Nets, boards: Boards) -> None:
    """Print how well hands keep to the explanations of learned calls, against `natural`."""
    learned, natural = Neural(nets), Natural()
    kept: dict[str, list[bool]] = {"Pass": [], "other": []}
    widths: dict[str, list[tuple[int, float]]] = {"Pass": [], "other": []}
    # Whether partner passed a call after a pass in between, told to be forcing or not.
    passed: dict[bool, list[bool]] = {True: [], False: []}
    # The cards that are held in the suit of a bid, told to be artificial or not.
    held: dict[bool, list[int]] = {True: [], False: []}
    for row in range(len(boards)):
        auction = Auction(Seat.NORTH)
        vulnerable = vulnerability(*(bool(each) for each in boards.vulnerable[row]))
        hands = [hand_of(boards.hands[row, seat]) for seat in range(4)]
        partner: Explanation | None = None
        while not auction.is_over:
            hand = hands[auction.turn]
            is_own = auction.turn % 2 == row // 4 % 2
            system = learned if is_own else natural
            made = system.choose(hand, auction, vulnerable)
            if is_own:
                if partner and auction.calls[-1] == PASS != auction.calls[-2]:
                    passed[partner.forcing].append(made.call == PASS)
                partner = told = made.explanation
                assert told is not None
                assert told.hcp is not None
                kind = "Pass" if made.call == PASS else "other"
                kept[kind].append(told.holds_for(hand))
                lengths = [high - low + 1 for low, high in told.lengths.values()]
                points = told.hcp[1] - told.hcp[0] + 1
                widths[kind].append((points, float(np.mean(lengths))))
                if made.call.is_bid and (suit := made.call.denomination.trump) is not None:
                    held[made.alert].append(hand.length(suit))
            auction.push(made.call)
    print("| calls | number | kept | points in the range | lengths |")
    print("| --- | --- | --- | --- | --- |")
    for kind, each in kept.items():
        points, lengths = np.mean(widths[kind], axis=0)
        print(f"| {kind} | {len(each):,} | {np.mean(each):.2%} | {points:.1f} | {lengths:.1f} |")
    print("\n| bids of suits | number | four cards or more | less than three |")
    print("| --- | --- | --- | --- |")
    for is_alerted, cards in held.items():
        four, few = sum(length >= 4 for length in cards), sum(length < 3 for length in cards)
        print(f"| {'artificial' if is_alerted else 'others'} | {len(cards):,} | {four} | {few} |")
    print()
    told_as_forcing(passed)


def asked(nets: Nets, boards: Boards) -> None:
    """Print how often partner passes the calls of four players of the kind."""
    seen, is_passed = passes(nets, boards)
    is_forcing = nets.passed(seen) < FORCING
    told_as_forcing({kind: is_passed[is_forcing == kind].tolist() for kind in (True, False)})


def told_as_forcing(passed: Mapping[bool, Sequence[bool]]) -> None:
    """Print how often partner passed calls that are told to be forcing (True), and others."""
    print("| calls that partner could pass | number | passed |")
    print("| --- | --- | --- |")
    for is_forcing, its in passed.items():
        share = figure(100 * np.array(its), 1) + " %" if len(its) > 1 else ""
        print(f"| {'forcing' if is_forcing else 'others'} | {len(its):,} | {share} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "deals",
        type=Path,
        nargs="+",
        help="files of solved deals that the networks have not learned from",
    )
    parser.add_argument(
        "--weights", type=Path, help="networks to measure; default: those that ship"
    )
    parser.add_argument(
        "--audited",
        type=int,
        default=1000,
        help="boards whose explanations are checked; default: %(default)s",
    )
    options = parser.parse_args()
    try:
        solved = solved_deals([file for path in options.deals for file in deal_files(path)])
        nets = Nets.read(options.weights) if options.weights else shipped()
    except (UnusableError, ArraysError, OSError) as error:
        parser.error(str(error))
    environment()
    print()
    against(nets, solved)
    print()
    near_par(nets, solved)
    print()
    audit(nets, Boards.random(np.random.default_rng(1), options.audited))
    print("\nfour of the kind\n")
    asked(nets, Boards.random(np.random.default_rng(2), _ASKED))


if __name__ == "__main__":
    main()
