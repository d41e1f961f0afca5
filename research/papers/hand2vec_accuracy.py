"""Measure the accuracy of mean tricks against those of ten layouts: part of `papers.hand2vec`.

Shares are over all pairs of hands, with either partner as declarer, for the four suits together and
for notrump, as in the paper's tables 3 and 4. Rounded, both numbers are in whole tricks (halves to
the even number, as its program does). An observation is a pair of hands: the figures of its suits
and declarers are averaged first.

The floor is the accuracy of the exact true mean, that over all layouts instead of ten. Layouts are
drawn from the distributions of `bots.library.tricks`. Its deviations contain the error of its own
means; they are first reduced, by one factor for suits and one for notrump, so that noise and error
together are the error that it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import standard_error, table
from bridge_arena.bots.library.hand2vec.net import Hand2VecNet
from bridge_arena.bots.library.learning.hands import Hands, denominations_reordered, reordered
from bridge_arena.bots.library.tricks.data import Known
from bridge_arena.bots.library.tricks.net import Estimate, TricksNet

LAYOUTS = 10
"""The number of layouts in each mean."""

PAPER = {
    "suits": (83.95, 99.16, 99.996, 71.33, 99.86, 99.999),
    "notrump": (72.21, 94.86, 99.78, 63.30, 98.46, 99.92),
}
"""Per cent, the mean of ten nets: the columns of `COLUMNS`."""

COLUMNS = ("within 0.5", "within 1", "within 2", "exact", "rounded within 1", "rounded within 2")

STRAINS = {"suits": slice(0, 4), "notrump": slice(4, 5)}

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy of means.

    For each strain it has the mean share of each column, in per cent, with its standard error; and
    the root mean square of all errors, in tricks.
    """

    share: dict[str, Array]
    error: dict[str, Array]
    off: float

    def facts(self) -> dict[str, Any]:
        """Return the accuracy as JSON values."""
        share, error = (
            {name: found.tolist() for name, found in of.items()} for of in (self.share, self.error)
        )
        return {"share": share, "error": error, "off": self.off}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Accuracy:
        """Return the accuracy that `facts` gave as JSON values."""
        share, error = (
            {name: np.array(found) for name, found in facts[part].items()}
            for part in ("share", "error")
        )
        return cls(share, error, facts["off"])


def accuracy(mean: NDArray[np.floating], tricks: NDArray[np.floating]) -> Accuracy:
    """Return the accuracy of estimated means by known ones, both n×5×2, n at least two."""
    away = np.abs(mean - tricks)
    rounded = np.abs(np.rint(mean) - np.rint(tricks))
    limits = [away <= 0.5, away <= 1, away <= 2, rounded < 1, rounded < 2, rounded < 3]
    share, error = {}, {}
    for name, strain in STRAINS.items():
        of_pairs = np.stack([each[:, strain].mean(axis=(1, 2)) for each in limits], axis=1)
        share[name] = 100 * of_pairs.mean(axis=0)
        error[name] = 100 * standard_error(of_pairs)
    return Accuracy(share, error, float(np.sqrt(np.square(away).mean())))


def in_all_orders(net: Hand2VecNet, hands: Hands, partners: Hands) -> NDArray[np.float32]:
    """Return a net's means for pairs, n×52 each, over all orders of their suits; n×5×2."""
    found = np.zeros((len(hands), 5, 2), np.float32)
    for order in permutations(range(4)):
        orders = np.tile(np.array(order), (len(hands), 1))
        told = net.estimate(reordered(hands, orders), reordered(partners, orders))
        found += denominations_reordered(told, orders.argsort(axis=1)) / 24
    return found


def floor(estimate: Estimate, tricks: NDArray[np.floating], rng: np.random.Generator) -> Accuracy:
    """Return the accuracy of true means, by means of `LAYOUTS` drawn layouts to one decimal.

    `tricks` are the known means of the same pairs, n×5×2.
    """
    deviation = estimate.deviation.astype(np.float64)
    for strain in STRAINS.values():
        square = np.square(deviation[:, strain]).mean()
        off = np.square(estimate.mean[:, strain] - tricks[:, strain]).mean()
        # Whole tricks vary by a twelfth more than their normal distribution:
        # square + 1/12 = layouts + error, off = layouts / LAYOUTS + error.
        layouts = (square + 1 / 12 - off) / (1 - 1 / LAYOUTS)
        deviation[:, strain] *= np.sqrt(max(layouts - 1 / 12, 1e-6) / square)
    narrowed = Estimate(estimate.mean, deviation.astype(np.float32))
    ladder = narrowed.distribution().cumsum(axis=-1, dtype=np.float64)[..., :-1]
    true = 13 - ladder.sum(axis=-1)
    seen = np.zeros(true.shape)
    for _ in range(LAYOUTS):
        # Either declares in the same layout, so they are drawn together.
        drawn = rng.random((*true.shape[:2], 1, 1))
        seen += (drawn > ladder).sum(axis=-1)
    return accuracy(true, np.round(seen / LAYOUTS, 1))


def shares_table(
    nets: Mapping[str, Sequence[Accuracy]], tricks: Accuracy, least: Accuracy, strain: str
) -> str:
    """Return the table of the paper's figures and ours, as markdown.

    `nets` has the accuracies over several seeds, by title. ± is the standard deviation over the
    seeds where there are several, and else the standard error.
    """
    rows = [["paper, 400,000 pairs", *(f"{each:g}" for each in PAPER[strain])]]
    for name, each in nets.items():
        shares = np.array([one.share[strain] for one in each])
        error = shares.std(axis=0, ddof=1) if len(each) > 1 else each[0].error[strain]
        rows.append([name, *_figures(shares.mean(axis=0), error)])
    for name, one in (("`tricks`", tricks), ("true means", least)):
        rows.append([name, *_figures(one.share[strain], one.error[strain])])
    return table([f"{strain}, per cent", *COLUMNS], rows)


def estimated(net: TricksNet, known: Known) -> Estimate:
    """Return the estimate of the better net for pairs."""
    return net.estimate(known.hands, known.partners)


def _figures(shares: Array, errors: Array) -> list[str]:
    return [f"{share:.3f} ± {error:.3f}" for share, error in zip(shares, errors, strict=True)]
