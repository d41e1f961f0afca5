"""Measure the calibration of the estimate of tricks.

    python -m research.tricks PATH ... [--net FILE.npz] [--seed 1]

It is tested on solved deals that it has not learned from (files or folders of them, with one layout
each), on the pairs of hands of both sides, with each partner as declarer. Standard errors are over
the deals: the figures of a deal's pairs, declarers and contracts are averaged first.

- Tricks: the error of the mean, the deviation of the tricks from it, and the deviation that the
  estimate gives.
- Surprise: the mean of -log of the probability that the actual tricks had, against the same means
  with a deviation of 0.8 everywhere.
- Quantiles: the place of the actual tricks in their distribution, drawn evenly within their own
  probability; a tenth should be in each tenth.
- Making: contracts by the probability that they make, and how many made.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import figure
from bridge_arena.bots.library.learning.arrays import joined
from bridge_arena.bots.library.tricks.data import Known, of_deals
from bridge_arena.bots.library.tricks.net import Estimate, TricksNet, shipped
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.common import deal_files
from bridge_arena.oracle.solved_deals import read

NAMES = ("clubs", "diamonds", "hearts", "spades", "notrump")
CONSTANT = 0.8
"""The deviation of the reference."""

BOUNDS = np.array([0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1])

Array = NDArray[np.float64]


def surprise(distribution: NDArray[np.float32], tricks: NDArray[np.int64]) -> Array:
    """Return -log of the probability of the actual tricks n×5×2, by distributions n×5×2×14."""
    had = np.take_along_axis(distribution, tricks[..., None], axis=-1)[..., 0]
    losses: Array = -np.log(np.maximum(had, 1e-6, dtype=np.float64))
    return losses


def quantiles(
    distribution: NDArray[np.float32], tricks: NDArray[np.int64], rng: np.random.Generator
) -> Array:
    """Return the place of the tricks in their distribution, 0 to 1.

    It is evenly spread if the distribution is right (the randomised probability integral
    transform).
    """
    had = np.take_along_axis(distribution, tricks[..., None], axis=-1)[..., 0]
    below = np.take_along_axis(distribution.cumsum(axis=-1), tricks[..., None], axis=-1)[..., 0]
    fell: Array = below - had * rng.random(had.shape)
    return fell


def making(
    distribution: NDArray[np.float32], tricks: NDArray[np.int64]
) -> tuple[Array, NDArray[np.bool_]]:
    """Return the probabilities of 7, 8 .. 13 tricks or more, and whether taken, n×5×2×7."""
    at_least = distribution[..., ::-1].cumsum(axis=-1)[..., ::-1][..., 7:].astype(np.float64)
    return at_least, tricks[..., None] >= np.arange(7, 14)


def tricks_table(estimate: Estimate, tricks: NDArray[np.int64]) -> str:
    """Return the table of the errors of the means, by denomination."""
    lines = [
        "| denomination | tricks less estimate | root mean square | as estimated |",
        "| --- | --- | --- | --- |",
    ]
    off = tricks - estimate.mean.astype(np.float64)
    # Rounding to whole tricks spreads them by a twelfth more.
    stated = np.square(estimate.deviation.astype(np.float64)) + 1 / 12
    for which, name in enumerate(NAMES):
        mine = off[:, which].reshape(len(off) // 2, -1)
        lines.append(
            f"| {name} | {figure(mine.mean(axis=1))} | {np.sqrt(np.square(mine).mean()):.3f} "
            f"| {np.sqrt(stated[:, which].mean()):.3f} |"
        )
    return "\n".join(lines)


def making_table(probability: Array, made: NDArray[np.bool_]) -> str:
    """Return the table of contracts made, by the probability that they make."""
    lines = ["| probability of making | contracts | mean | made |", "| --- | --- | --- | --- |"]
    number = len(probability) // 2
    likely, happened = probability.reshape(number, -1), made.reshape(number, -1)
    bins = np.digitize(likely, BOUNDS[1:-1])
    for which, (low, high) in enumerate(pairwise(BOUNDS)):
        mine = bins == which
        count = mine.sum()
        if not count:
            continue
        share = happened[mine].mean()
        # A ratio of sums over deals; its error from the deals' residuals.
        residual = (mine * (happened - share)).sum(axis=1)
        error = np.sqrt(np.square(residual).sum()) / count
        lines.append(
            f"| {low:g} to {high:g} | {count:,} | {likely[mine].mean():.3f} "
            f"| {share:.3f} ± {error:.3f} |"
        )
    return "\n".join(lines)


def quantiles_table(fell: Array) -> str:
    """Return the table of the shares in each tenth of the distributions."""
    of_each = fell.reshape(len(fell) // 2, -1)
    bins = np.minimum((of_each * 10).astype(np.int64), 9)
    cells = [figure((bins == tenth).mean(axis=1)) for tenth in range(10)]
    lines = ["| tenth | share |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {tenth + 1} | {cell} |" for tenth, cell in enumerate(cells))])


def by_deal(known: Known) -> Known:
    """Return the pairs with the two of a deal one after the other.

    `known` has the pairs of all North and South first, then those of all East and West.
    """
    order = np.arange(len(known)).reshape(2, -1).T.reshape(-1)
    return known.rows(order)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "deals", type=Path, nargs="+", metavar="PATH", help="files or folders of solved deals"
    )
    parser.add_argument(
        "--net",
        type=Path,
        metavar="FILE.npz",
        help="estimate to measure; default: the one that ships",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the random draws; default: %(default)s"
    )
    options = parser.parse_args()
    try:
        files = [file for path in options.deals for file in deal_files(path)]
        known = joined(by_deal(of_deals(each)) for each in read(files))
        net = TricksNet.read(options.net) if options.net else shipped()
    except (UnusableError, OSError, ValueError) as error:
        parser.error(str(error))
    estimate = net.estimate(known.hands, known.partners)
    tricks = known.tricks.astype(np.int64)
    found = estimate.distribution()
    constant = Estimate(estimate.mean, np.full_like(estimate.deviation, CONSTANT)).distribution()
    deals = len(known) // 2
    losses = [surprise(each, tricks).reshape(deals, -1).mean(axis=1) for each in (found, constant)]
    fell = quantiles(found, tricks, np.random.default_rng(options.seed))
    print(f"{deals:,} deals\n\n{tricks_table(estimate, tricks)}\n")
    print(f"Surprise {figure(losses[0])}; with a deviation of {CONSTANT} {figure(losses[1])};")
    print(f"difference {figure(losses[1] - losses[0])}.\n")
    print(f"{quantiles_table(fell)}\n\n{making_table(*making(found, tricks))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
