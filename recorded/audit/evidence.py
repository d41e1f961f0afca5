"""Luck at many tables, and the test whether it is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum, hypot, sqrt

from bridge_arena.bridge.cards import Deal
from bridge_arena.recorded.audit.allowance import Allowance
from bridge_arena.tournaments.statistics.clustered import clustered_mean
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.student import two_sided_p

FEWEST_DEALS = 8
"""Deals below which no p-value is given: a standard error of so few says too little."""


@dataclass(frozen=True)
class Evidence:
    """Of one entry. `tables`: each deal that it played at a table, and its luck there.
    `variance`: that an honest player's luck at a table has on average, by the layouts.
    `allowed`: the mean luck that an honest player may have."""

    tables: tuple[tuple[Deal, float], ...]
    variance: float
    allowed: Allowance

    @cached_property
    def mean(self) -> Mean:
        """As it was found, with the error of the boards alone."""
        found = clustered_mean(self.tables)
        if found.standard_error is None:
            return found
        # Rare decisions with much at stake, none of which went wrong so far, make tables look
        # alike: then the layouts know better how much luck there could have been.
        expected = sqrt(self.variance / len(self.tables))
        return Mean(found.n, found.mean, max(found.standard_error, expected))

    @property
    def beyond(self) -> Mean:
        """The mean that is not allowed for, with the error of what is allowed in its own."""
        n, mean, error = self.mean.n, self.mean.mean, self.mean.standard_error
        return Mean(
            n,
            None if mean is None else mean - self.allowed.mean,
            None if error is None else hypot(error, self.allowed.deviation),
        )

    @property
    def p_value(self) -> float | None:
        """How often an honest player would have as much (Student's t, one-sided); None where
        there are too few deals."""
        deals = len({deal for deal, _ in self.tables})
        mean, error = self.beyond.mean, self.beyond.standard_error
        if deals < FEWEST_DEALS or mean is None or error is None:
            return None
        if not any(luck for _, luck in self.tables):
            return 1.0  # there was nothing to be lucky in
        tail = two_sided_p(mean / error, deals - 1) / 2
        return tail if mean > 0 else 1 - tail


def together(parts: Sequence[Evidence]) -> Evidence:
    """Luck of several kinds at the same tables, which may be counted in several units: each in
    the deviations that it is expected to have, so that all count alike. A kind without any is
    left out."""
    scaled = [(part, 1 / sqrt(part.variance)) for part in parts if part.variance]
    return Evidence(
        tuple(
            (
                tables[0][0],
                fsum(luck * scale for (_, luck), (_, scale) in zip(tables, scaled, strict=True)),
            )
            for tables in zip(*(part.tables for part, _ in scaled), strict=True)
        ),
        float(len(scaled)),
        Allowance(
            fsum(part.allowed.mean * scale for part, scale in scaled),
            hypot(*(part.allowed.deviation * scale for part, scale in scaled)),
        ),
    )
