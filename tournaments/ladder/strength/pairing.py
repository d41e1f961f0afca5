"""Who meets whom next in a ladder: the pair that is expected to settle most for its time.

From the sums alone: a pair whose order is not known needs so much more evidence, and gains so much
on each board as its likely difference lets it. What it settles are its own order and those that
follow from it; who does not play again counts for nothing. One match in `FOR_THE_FEWEST` is for who
has played the fewest boards, so that everybody plays and a new version soon has a rank. Nobody far
above the mean number of boards is paired while others can be; so it is with all versions of an
author together, who may bring many. All is fixed by the sums and a key, and each choice says its
reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.strength.ranks import Orders, Standing
from bridge_arena.tournaments.statistics.betting import BETS, SWINGS
from bridge_arena.tournaments.statistics.sequential import LARGEST

Floats = NDArray[np.float64]

FOR_THE_FEWEST = 5
"""One match in so many is for who has played the fewest boards."""

MOST_BOARDS = 4
"""Who has played so many times the mean number of boards waits while others can be paired; the
same holds for the boards of authors."""

_SPREAD = 3.0
"""The standard deviation of strengths that is assumed beforehand, in IMPs a board."""

_VARIANCE, _AS_MUCH_AS = 27.0, 64
"""The variance of a swing that is assumed beforehand, and the boards for which it counts."""

_LEAST_LEFT = 0.5
"""The least evidence that is thought to lack: less is a matter of a board or two."""

_NEVER = -1.0
"""What a pair is worth that may not meet."""

_EQUAL = 1e-9
"""Values that differ by no larger share are equal."""


class Reason(StrEnum):
    """Why two versions meet."""

    SETTLES = "settles"  # no other pair is expected to settle as much for its time
    FEWEST = "fewest"  # nobody who could be paired has played fewer boards than one of them
    LOTS = "lots"  # nothing is left to settle, so lots are drawn
    TEST = "test"  # a test asks for their boards


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two versions that meet next."""

    home: int
    visitors: int
    reason: Reason
    # Who is free and waits, as it or its author has played far more boards than others.
    waiting: tuple[int, ...] = ()

    @property
    def teams(self) -> tuple[int, int]:
        """The home team and the visitors."""
        return self.home, self.visitors


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums of n versions' boards against each other."""

    boards: Floats  # of i against j, of shape (n, n)
    imps: Floats  # of i against j; those of j against i are the negative
    squares: Floats  # the squared swings, added up

    @classmethod
    def of(cls, counts: NDArray[np.integer]) -> Totals:
        """Add up the boards of each swing of i against j, of shape (n, n, 49)."""
        numbers = np.asarray(counts, np.float64)
        return cls(numbers.sum(axis=-1), numbers @ SWINGS, numbers @ SWINGS**2)


class Pairing:
    """The choice of matches by what n versions have played and what it proves."""

    def __init__(self, totals: Totals, standing: Standing, stays: Orders) -> None:
        """Weigh the pairs.

        Args:
            totals: What was played.
            standing: What it proves.
            stays: Whether each version may play again, of shape (n,). The orders of others are not
                worth a board.
        """
        self._boards = totals.boards.sum(axis=1)
        self._stays = stays
        self.likely = Likely.of(totals)
        self._values = values(self.likely, standing, stays)

    def next_match(
        self,
        *,
        free: NDArray[np.integer],
        authors: NDArray[np.integer],
        playing: Orders,
        seconds: Floats,
        home: NDArray[np.integer],
        key: bytes,
        number: int,
    ) -> Meeting | None:
        """Return the next match, whose versions count from 0; None if no two may meet.

        Args:
            free: The free tables of each version, of shape (n,); 0 for one that is not there.
            authors: The number of the author of each version, of shape (n,).
            playing: The pairs that are at play, both ways, of shape (n, n). They do not meet at a
                second table, so that a pair's matches end in the order in which they begin.
            seconds: How long a match of each pair takes, of shape (n, n).
            home: How often i was the home team against j, of shape (n, n).
            key: What decides with the number of the match where lots are drawn.
            number: The number of the match.
        """
        worth = self._values / seconds
        np.fill_diagonal(worth, _NEVER)
        worth[playing] = _NEVER
        worth[free <= 0] = worth[:, free <= 0] = _NEVER
        above = _far_above_mean(self._boards, self._stays)
        of_authors = np.bincount(authors, self._boards).astype(float)
        above |= _far_above_mean(of_authors, np.unique(authors[self._stays]))[authors]
        waiting: tuple[int, ...] = ()
        if above.any():
            others = worth.copy()
            others[above] = others[:, above] = _NEVER
            if others.max() > _NEVER:
                worth, waiting = others, tuple(np.flatnonzero(above & (free > 0)).tolist())
        if worth.max() == _NEVER:
            return None
        rng = Random(key + number.to_bytes(8, "big"))
        reason = Reason.SETTLES if worth.max() > 0 else Reason.LOTS
        if rng.randrange(FOR_THE_FEWEST) == 0:
            reason = Reason.FEWEST
            able = worth.max(axis=1) > _NEVER
            more = self._boards > self._boards[able].min()
            worth[np.ix_(more, more)] = _NEVER
        best = np.flatnonzero(worth >= worth.max() * (1 - _EQUAL))
        one, other = divmod(rng.choice(best.tolist()), len(worth))
        if home[one, other] > home[other, one]:
            one, other = other, one
        return Meeting(one, other, reason, waiting)


def _far_above_mean(boards: Floats, of: NDArray[Any]) -> NDArray[np.bool_]:
    # The few boards of versions that were soon replaced would put all others far above the mean.
    return np.asarray(boards > MOST_BOARDS * boards[of].mean())


@dataclass(frozen=True, slots=True)
class Likely:
    """What n versions are likely to gain against each other, by all boards of all of them."""

    differences: Floats  # of i against j in IMPs a board, of shape (n, n)
    errors: Floats  # their squared errors
    variances: Floats  # of the swing of a board

    @classmethod
    def of(cls, totals: Totals) -> Likely:
        """Estimate them; who has played little is thought to be of mean strength."""
        boards, imps = totals.boards, totals.imps
        scatter = totals.squares - imps**2 / np.maximum(1, boards)
        variances = (scatter + _VARIANCE * _AS_MUCH_AS) / (boards + _AS_MUCH_AS)
        weights = boards / variances
        covariance = np.linalg.inv(np.diag(weights.sum(axis=1) + _SPREAD**-2) - weights)
        strengths = covariance @ (imps / variances).sum(axis=1)
        own = np.diag(covariance)
        errors = own[:, None] + own - 2 * covariance
        return cls(strengths[:, None] - strengths, np.maximum(0.0, errors), variances)


def values(likely: Likely, standing: Standing, stays: Orders) -> Floats:
    """Return how many orders a board of i and j settles on average, of shape (n, n)."""
    kept = np.ix_(stays, stays)
    # A chance to be farther apart counts as well: a pair that has hardly met is worth a try.
    gains = np.sqrt(likely.differences**2 + likely.errors)
    squares = likely.variances + gains**2
    bets = np.minimum(gains / squares, BETS[-1] / LARGEST)
    growth = bets * gains - bets**2 * squares / 2
    left = np.maximum(_LEAST_LEFT, standing.needs - standing.evidence)
    # Who is ahead of i, or is i, will then be ahead of j and of all behind j.
    reached = (standing.ahead | np.eye(len(left), dtype=bool))[kept].astype(np.float32)
    settled = np.zeros_like(left)
    settled[kept] = reached.T @ standing.open[kept].astype(np.float32) @ reached.T
    worth = settled * growth / left
    return np.asarray(np.where(likely.differences >= 0, worth, worth.T))
