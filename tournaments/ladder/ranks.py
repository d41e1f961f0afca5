"""Who is surely ahead of whom in a ladder, and the ranks that follow.

Versions have strengths: who is stronger gains on average when two of them meet. All statements
of a ladder hold together and for ever, but for a chance of alpha: however pairings depend on
results, whenever one looks, and whoever arrives later.

**Why.** E_ij is the evidence that i is ahead of j: a wealth (`statistics.betting`) that does not
grow on average if i is not ahead. Alpha is divided: the k-th to arrive has the part s_k, and these
add up to 1. Where k is not ahead of an earlier version, or it not of k, the evidence that it is has
the weight s_k / (2 h (N - 1)). Here N counts the first k versions whose strength is between the two
or equal to one, the two among them, and h is 1 + 1/2 + ... + 1/(k - 1). The m-th nearest above k
has an N of at least m + 1, and so has the m-th nearest below. So the weights of k add up to s_k at
most, and all weights to 1. The weighted sum of these E begins at 1 or less and does not grow on
average: the chance that it ever reaches 1/alpha is at most alpha (Ville's inequality). While it is
below, each of these E is below 2 h (N - 1) / (s_k alpha), and nothing is stated that needs so much.
N is not known. But if i is not ahead of j, those of whom i is surely ahead and those who are surely
ahead of j are not between them. So the next statement is true if those before it are.

This is a sequentially rejective test (Goeman and Solari, The sequential rejection principle of
familywise error control, 2010) of evidence that holds at all times. A tenth of alpha is for
versions that have not met (`common_opponents`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.common_opponents import (
    OPPONENTS,
    curves,
    through_others,
)
from bridge_arena.tournaments.statistics.betting import evidence

Floats = NDArray[np.float64]
Orders = NDArray[np.bool_]

ALPHA = 0.05
"""The chance that any statement of a ladder is ever false."""

_AT_FIRST = 20
"""The versions that share the first half of alpha; later ones have smaller and smaller parts."""

_MET = 0.9
"""The part of alpha for versions that have met. The rest is for those that have not."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is proved of the order of n versions, which are numbered from 0 as they arrived."""

    evidence: Floats  # the logarithm of the wealth that i is ahead of j, of shape (n, n)
    needs: Floats  # the evidence by which i would surely be ahead of j, of shape (n, n)
    ahead: Orders  # whether i is surely ahead of j, of shape (n, n)

    @property
    def open(self) -> Orders:
        """The pairs whose order is not known, of shape (n, n), both ways."""
        return np.asarray(~(self.ahead | self.ahead.T | np.eye(len(self.ahead), dtype=bool)))

    @property
    def ranks(self) -> list[tuple[int, int]]:
        """The best and the worst rank that each version may have."""
        best = 1 + self.ahead.sum(axis=0)
        worst = len(self.ahead) - self.ahead.sum(axis=1)
        return [(int(low), int(high)) for low, high in zip(best, worst, strict=True)]


def standing(counts: NDArray[np.integer], before: Orders | None = None) -> Standing:
    """Return what the boards of a ladder prove.

    Args:
        counts: The boards of each swing of i against j, of shape (n, n, 49); those of j against i
            are the same the other way round.
        before: What was proved earlier, which stays; of as many versions as there were then.
    """
    alone = proved(evidence(counts), before)
    against = curves(counts[:, :OPPONENTS])
    return through_common_opponents(alone, np.asarray(counts.any(axis=-1)), against)


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
    return replace(proved(wealth, standing.ahead), evidence=standing.evidence)


def proved(wealth: Floats, before: Orders | None = None) -> Standing:
    """Return what evidence proves: the logarithms of the wealths, of shape (n, n)."""
    size = len(wealth)
    ahead = np.zeros((size, size), dtype=bool)
    if before is not None:
        ahead[: len(before), : len(before)] = before
    statements = ahead
    others = ~np.eye(size, dtype=bool)
    while True:
        needs = _needs(ahead)
        more = statements | (others & (wealth >= needs))
        if (more == statements).all():
            return Standing(wealth, needs, ahead)
        statements = more
        ahead = _with_consequences(statements)


def _needs(ahead: Orders) -> Floats:
    """Return the evidence that a pair needs, if all of `ahead` is true."""
    size = len(ahead)
    between = (~ahead).astype(np.float32)
    counts = np.full((size, size), 2.0)
    for last in range(1, size):
        # The versions up to this one that may be neither weaker nor stronger than both of a pair.
        known = between[: last + 1, : last + 1]
        counts[last, :last] = known[last] @ known[:, :last]
        counts[:last, last] = known[:last] @ known[:, last]
    arrival = np.arange(1, size + 1)
    parts = _AT_FIRST / ((arrival + _AT_FIRST - 2) * (arrival + _AT_FIRST - 1))
    sums = np.concatenate([[1.0], np.cumsum(1 / arrival)])[:size]
    later = np.maximum.outer(np.arange(size), np.arange(size))
    return np.asarray(
        np.log(2 * sums[later] * np.maximum(1, counts - 1) / parts[later] / (_MET * ALPHA))
    )


def _with_consequences(ahead: Orders) -> Orders:
    """Add who is ahead of somebody ahead; nobody is ahead of another in a circle."""
    after = _chains(ahead)
    return np.asarray(after & ~after.T)


def _chains(ahead: Orders) -> Orders:
    after = ahead.copy()
    for link in range(len(after)):
        after |= after[:, link, None] & after[link]
    return after


def circles(wealth: Floats) -> Orders:
    """Return whether i surely beats j and a chain of such wins leads from j to i, of shape (n, n).

    Then there are no strengths that say who beats whom. All wins are true together and for ever but
    for a chance of `ALPHA`, whether there are strengths or not.

    Args:
        wealth: As for `proved`.
    """
    needs = _needs(np.zeros(wealth.shape, dtype=bool))
    beats = (wealth >= needs) & ~np.eye(len(wealth), dtype=bool)
    return np.asarray(beats & _chains(beats).T)
