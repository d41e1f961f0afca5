"""Measure the estimate of double-dummy tables against the solver, and its speed.

Boards are solved deals that it has not learned from, with the vulnerability of their place in the
file. A kind of contract is chosen by the tricks that the estimate expects, as bidders choose, and
not by the tricks that the solver found. Standard errors are over the deals.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import figure, table, timed
from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.learning.scores import risks_table
from bridge_arena.bots.library.many_auctions.boards import Tricks, in_turn
from bridge_arena.bots.library.tables.net import TRICKS, TablesNet, shipped
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.common import deal_files, solved_deals

Odds = NDArray[np.float32]


class Kind(NamedTuple):
    """A kind of contract: its level, its risk, and the tricks expected, from `low` to `high`."""

    level: int
    risk: int
    low: float
    high: float


KINDS = {
    "part-scores": Kind(2, 0, 7.0, 10.0),
    "games": Kind(4, 0, 9.0, 11.5),
    "slams": Kind(6, 0, 10.5, 13.0),
    "grand slams": Kind(7, 0, 11.5, 13.0),
    "doubled at the four-level": Kind(4, 1, 6.0, 9.5),
    "doubled at the five-level": Kind(5, 1, 8.0, 11.0),
}


class Bias(NamedTuple):
    """What the odds say of a kind of contract more than the solver, in points."""

    contracts: int
    deals: int  # the deals in which they are
    points: float  # the mean of the points
    error: float  # its standard error


def expected(odds: Odds) -> Odds:
    """Return the expected tricks, n×5×4."""
    found: Odds = np.matmul(odds, np.arange(TRICKS, dtype=np.float32))
    return found


def bias(kind: Kind, odds: Odds, tricks: Tricks, vulnerable: NDArray[np.bool_]) -> Bias:
    """Return the bias of a kind of contract, bid in every denomination and by every declarer."""
    mean = expected(odds)
    deal, denomination, declarer = np.nonzero((mean >= kind.low) & (mean < kind.high))
    side = vulnerable[deal, declarer % 2].astype(np.int64)
    contract = 5 * (kind.level - 1) + 1 + denomination
    scores = risks_table()[side, kind.risk, contract].astype(np.float64)
    told = (scores * odds[deal, denomination, declarer]).sum(axis=1)
    more = told - scores[np.arange(len(deal)), tricks[deal, denomination, declarer]]
    # The contracts of one deal go well or badly together.
    points = float(more.mean())
    error = np.sqrt(np.square(np.bincount(deal, more - points)).sum()) / len(deal)
    return Bias(len(deal), len(np.unique(deal)), points, float(error))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "deals", type=Path, nargs="+", metavar="PATH", help="files or folders of solved deals"
    )
    parser.add_argument(
        "--net", type=Path, metavar="FILE.npz", help="estimate to measure; default: what ships"
    )
    options = parser.parse_args()
    try:
        solved = solved_deals([file for path in options.deals for file in deal_files(path)])
        net = TablesNet.read(options.net) if options.net else shipped()
    except (UnusableError, ArraysError, OSError) as error:
        parser.error(str(error))
    boards, tricks = in_turn(solved)
    odds, seconds = timed(lambda: net.chances(boards.hands))
    number = len(tricks)
    off = expected(odds) - tricks
    likeliest = odds.argmax(axis=-1)
    near = [np.abs(likeliest - tricks.astype(np.int64)) <= most for most in (0, 1)]
    exact, within = (f"{100 * figures.mean():.1f} %" for figures in near)
    print(f"{number:,} deals, {number / seconds:,.0f} a CPU-second\n")
    mean = figure(off.reshape(number, -1).mean(axis=1), sign="+")
    heads = ["root mean square error", "estimate less tricks", "likeliest is right", "within one"]
    print(table(heads, [[f"{np.sqrt(np.square(off).mean()):.3f}", mean, exact, within]]), "\n")
    rows = []
    for name, kind in KINDS.items():
        found = bias(kind, odds, tricks, boards.vulnerable)
        bounds = f"{kind.low:g} to {kind.high:g}"
        rows.append([name, bounds, f"{found.contracts:,}", f"{found.deals:,}"])
        rows[-1].append(f"{found.points:+.1f} ± {found.error:.1f}")
    print(table(["contracts", "expected tricks", "number", "deals", "points too many"], rows))


if __name__ == "__main__":
    main()
