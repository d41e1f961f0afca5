"""Measure the cost of the contracts of `deepq`, and of other bidders, on pairs of hands.

    python -m research.deepq PAIRS.npz [--weights FILE.npz] [--worlds 0] [--seed 1]

`arena train deals --pairs` makes the file: solved layouts say what each contract costs, in IMPs
(`bots.library.learning.scores.costs_of`). North begins, and the opponents pass. Every bidder bids
every pair, so differences are paired. With `--worlds` North also searches its bids.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import figure, p_value, table, timed
from benchmarks.uncontested import Contracts, best_known, contracts_by_system
from bridge_arena.bots.deepq.net import QNets, shipped
from bridge_arena.bots.deepq.search import Search
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.library.learning.hands import spades_first
from bridge_arena.bots.library.learning.pairs import PairsError, read_pairs
from bridge_arena.bots.library.tricks.net import shipped as shipped_tricks


def all_of(bid: Callable[[], Iterable[int]]) -> Contracts:
    return np.array(list(bid()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "pairs", type=Path, metavar="PAIRS.npz", help="pairs of hands with the costs of contracts"
    )
    parser.add_argument(
        "--weights",
        type=Path,
        metavar="FILE.npz",
        help="networks to measure; default: those that ship",
    )
    parser.add_argument(
        "--worlds",
        type=int,
        default=0,
        help="hands of South to search in; 0: no search; default: %(default)s",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the search; default: %(default)s"
    )
    options = parser.parse_args()
    try:
        pairs = read_pairs(options.pairs)
        nets = QNets.read(options.weights) if options.weights else shipped()
        search = Search(nets, shipped_tricks(), options.worlds) if options.worlds else None
    except (PairsError, OSError, ValueError) as error:
        parser.error(str(error))
    if len(pairs) < 2:
        parser.error(f"{options.pairs}: at least two pairs are needed")
    hands, partners = (spades_first(pairs.hands[:, seat] == 1) for seat in (0, 1))
    bidders: dict[str, Callable[[], Iterable[int]]] = {
        "always Pass": lambda: [0] * len(pairs),
        "`natural`": lambda: contracts_by_system(system("natural"), hands, partners),
        "`deepq`": lambda: nets.bid(hands, partners).contracts,
        "the most points to be expected, both hands known": lambda: best_known(hands, partners),
        "the least cost, the layouts known": lambda: pairs.costs.argmin(axis=1),
    }
    if search:
        rng = np.random.default_rng(options.seed)
        bidders["`deepq`, the first to call searching"] = lambda: search.contracts(
            hands, partners, rng
        )
    costs: dict[str, NDArray[np.float32]] = {}
    seconds: dict[str, float] = {}
    for name, bid in bidders.items():
        contracts, seconds[name] = timed(partial(all_of, bid))
        costs[name] = pairs.costs[np.arange(len(pairs)), contracts]
    print(f"{len(pairs):,} pairs\n")
    rows: list[list[str]] = []
    for name, cost in costs.items():
        more = cost - costs["`deepq`"]
        compared = [figure(more), p_value(more)] if more.any() else ["-", "-"]
        rows.append([name, figure(cost), *compared, f"{seconds[name] / len(pairs) * 1000:.3f}"])
    print(table(["bidder", "IMPs a pair", "more than `deepq`", "p", "ms of CPU a pair"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
