"""Who is surely ahead of whom in a ladder, and the ranks that follow.

All statements of a ladder hold together and for ever, but for a chance of alpha: however pairings
depend on results, whenever one looks, and whoever arrives later.

The evidence that i is ahead of j is a wealth (`statistics.betting`) that reaches 1/a with a chance
of at most a if i is not ahead. Alpha is divided beforehand among all that could ever be said: the
k-th to arrive has a part, the parts of all that may come add up to 1, and each of the 2 (k - 1)
statements about the k-th and an earlier version has an equal share of it. In simulations Holm's
rule, or less evidence where few versions can be between two, saved one board in a hundred or none.

Who is ahead of somebody ahead of j is ahead of j: versions are taken to have strengths. Versions
that have not met have a tenth of alpha to themselves (`common_opponents`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.strength.common_opponents import through_others

Floats = NDArray[np.float64]
Orders = NDArray[np.bool_]

ALPHA = 0.05
"""The chance that any statement of a ladder is ever false."""

_AT_FIRST = 20
"""The second to arrive has 1 / (this + 1) of alpha, and the first of this + 1 have half of it."""

_MET = 0.9
"""The part of alpha for versions that have met. The rest is for those that have not."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is proved of the order of n versions, which are numbered from 0 as they arrived."""

    evidence: Floats  # the logarithm of the wealth that i is ahead of j, of shape (n, n)
    needs: Floats  # the evidence by which i would surely be ahead of j, of shape (n, n)
    known: Orders  # the pairs of which that was proved, also where it makes a circle
    ahead: Orders  # whether i is surely ahead of j, of shape (n, n)

    @property
    def open(self) -> Orders:
        """The pairs of which nothing is known, of shape (n, n), both ways."""
        known = self.known | self.ahead
        return np.asarray(~(known | known.T | np.eye(len(known), dtype=bool)))

    @property
    def ranks(self) -> list[tuple[int, int]]:
        """The best and the worst rank that each version may have."""
        best = 1 + self.ahead.sum(axis=0)
        worst = len(self.ahead) - self.ahead.sum(axis=1)
        return [(int(low), int(high)) for low, high in zip(best, worst, strict=True)]


def through_common_opponents(
    standing: Standing, met: Orders, against: Floats, changed: Sequence[int] | None = None
) -> Standing:
    """Add what boards against common opponents prove of versions that have not met.

    Args:
        standing: What is proved without.
        met: Whether i and j have met, of shape (n, n).
        against: What `through_others` takes.
        changed: The versions that have played since the last look; all if None.
    """
    pairs = np.argwhere(standing.open & ~met)
    if changed is not None:
        pairs = pairs[np.isin(pairs, changed).any(axis=1)]
    if not len(pairs):
        return standing
    one, other = pairs.T
    wealth = standing.evidence.copy()
    wealth[one, other] = through_others(against, pairs) + np.log((1 - _MET) / _MET)
    return replace(proved(wealth, standing.known), evidence=standing.evidence)


def proved(wealth: Floats, before: Orders | None = None) -> Standing:
    """Return what evidence proves, with what follows from it.

    Args:
        wealth: The logarithms of the wealths, of shape (n, n).
        before: The pairs that were proved earlier, which stay; of as many versions as there were
            then.
    """
    needs = evidence_needed(len(wealth))
    known = wealth >= needs
    if before is not None:
        known[: len(before), : len(before)] |= before
    return Standing(wealth, needs, known, _with_consequences(known))


def evidence_needed(size: int) -> Floats:
    """Return the evidence that a statement needs, infinite of a version and itself."""
    earlier = np.arange(1, size)
    parts = _AT_FIRST / ((earlier + _AT_FIRST - 1) * (earlier + _AT_FIRST))
    of_later = np.concatenate([[np.inf], np.log(2 * earlier / parts / (_MET * ALPHA))])
    needs = of_later[np.maximum.outer(np.arange(size), np.arange(size))]
    np.fill_diagonal(needs, np.inf)
    return np.asarray(needs)


def _with_consequences(ahead: Orders) -> Orders:
    """Add who is ahead of somebody ahead; nobody is ahead of another in a circle."""
    after = _chains(ahead)
    return np.asarray(after & ~after.T)


def circles(known: Orders) -> Orders:
    """Return the pairs that a chain leads round: from i to j and back, of shape (n, n)."""
    after = _chains(known)
    return np.asarray(after & after.T)


def _chains(ahead: Orders) -> Orders:
    after = ahead.copy()
    for link in range(len(after)):
        after |= after[:, link, None] & after[link]
    return after
