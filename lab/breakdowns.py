"""Tables that say where an arm's IMPs come from; the rows of each add up to the total."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.lab.facets import Facet
from bridge_arena.lab.partings import Partings
from bridge_arena.reports.common.values import Hidden
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean_of

MOST_ROWS = 20
"""The most rows of a table; what is left is in one row more."""


@dataclass(frozen=True, slots=True)
class Row:
    """Some partings, and what they are worth."""

    # What they have in common: a text for each facet of the table; () for all others.
    what: tuple[str, ...]
    times: int  # how many partings
    imps: float  # the IMPs that the arm gained by them
    # These IMPs as a mean over all boards, so that the rows add up to the total mean.
    per_board: Mean
    each: Mean  # their mean over these partings alone
    # The row of an example: the board that went farthest in the direction of the sum.
    row: Hidden[int]
    replay: str  # the address of the example's replay, relative to the report


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All partings by some facets."""

    facets: tuple[str, ...]  # the names of the facets
    rows: tuple[Row, ...]  # the rows with the most IMPs, won or lost, the most first
    others: Row | None  # all other partings; None if there are none

    @property
    def every(self) -> tuple[Row, ...]:
        """All rows, with that of all others last."""
        return self.rows if self.others is None else (*self.rows, self.others)


class BreakingDown:
    """A maker of tables."""

    def __init__(
        self, partings: Partings, deals: NDArray[np.int64], replay_of: Callable[[int], str]
    ) -> None:
        self._partings = partings
        self._deals = deals
        self._replay_of = replay_of

    def by(self, *facets: Facet, most: int = MOST_ROWS) -> Breakdown:
        """Return the table of some facets."""
        names = tuple(facet.name for facet in facets)
        if not len(self._partings):
            return Breakdown(names, (), None)
        sizes = [len(facet.texts) for facet in facets]
        keys = np.ravel_multi_index([facet.codes for facet in facets], sizes)
        found, which = np.unique(keys, return_inverse=True)
        totals = np.bincount(which, self._partings.imps)
        times = np.bincount(which)
        order = np.lexsort((-times, -np.abs(totals)))
        shown = order if len(order) <= most + 1 else order[:most]
        rows = [
            self._row(_texts(facets, np.unravel_index(found[place], sizes)), which == place)
            for place in shown
        ]
        left = ~np.isin(which, shown)
        return Breakdown(names, tuple(rows), self._row((), left) if left.any() else None)

    def _row(self, what: tuple[str, ...], chosen: NDArray[np.bool_]) -> Row:
        rows = self._partings.rows[chosen]
        imps = self._partings.imps[chosen]
        total = float(imps.sum())
        by_board = np.bincount(rows, imps, minlength=len(self._deals))
        farthest = np.argmax(imps if total >= 0 else -imps)
        return Row(
            what,
            len(rows),
            total,
            clustered_mean_of(self._deals, by_board),
            clustered_mean_of(self._deals[rows], imps),
            int(rows[farthest]),
            self._replay_of(int(np.flatnonzero(chosen)[farthest])),
        )


def _texts(facets: Sequence[Facet], codes: tuple[np.integer, ...]) -> tuple[str, ...]:
    return tuple(facet.texts[int(code)] for facet, code in zip(facets, codes, strict=True))
