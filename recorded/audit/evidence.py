"""Luck at many tables, and the test whether it is more than chance.

Honest players are allowed some luck, because of the audit's own errors: the layouts do not reflect
everything that an auction or a play tells, so bots that are known to be honest have a mean luck
that is not exactly zero. `benchmarks/audit.py` measures it, and writes `allowance.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from math import fsum, hypot, sqrt

from bridge_arena.bridge.cards import Deal
from bridge_arena.recorded.audit import Kind
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean
from bridge_arena.tournaments.statistics.significance import two_sided_p


@dataclass(frozen=True, slots=True)
class Allowance:
    """The luck of honest bots."""

    mean: float  # their mean luck a board
    # The standard deviation of the mean luck of one honest bot from it, with the error of the mean
    # included.
    deviation: float


@lru_cache(maxsize=1)
def shipped() -> Mapping[Kind, Allowance]:
    file = resources.files("bridge_arena.recorded.audit") / "allowance.json"
    kinds = json.loads(file.read_text(encoding="utf-8"))["kinds"]
    return {kind: Allowance(kinds[kind]["mean"], kinds[kind]["deviation"]) for kind in Kind}


FEWEST_DEALS = 8
"""The deals below which no p-value is given: a standard error of so few says too little."""


@dataclass(frozen=True)
class Evidence:
    tables: tuple[tuple[Deal, float], ...]  # each table's deal, and its luck there
    variance: float  # the mean variance of an honest player's luck at a table, by the layouts
    allowed: Allowance  # the mean luck that an honest player may have

    @cached_property
    def mean(self) -> Mean:
        """The mean luck that was found, with the error of the boards only."""
        observed = clustered_mean(self.tables)
        if observed.standard_error is None:
            return observed
        # If much is at stake in rare decisions only, and none of them has gone wrong so far,
        # all tables look alike. Then the variance over the layouts is the better estimate.
        expected = sqrt(self.variance / len(self.tables))
        return Mean(observed.n, observed.mean, max(observed.standard_error, expected))

    @property
    def beyond(self) -> Mean:
        """The mean beyond what is allowed, with the error of the allowance included in its own."""
        n, mean, error = self.mean.n, self.mean.mean, self.mean.standard_error
        return Mean(
            n,
            None if mean is None else mean - self.allowed.mean,
            None if error is None else hypot(error, self.allowed.deviation),
        )

    @property
    def p_value(self) -> float | None:
        """The probability that an honest player has as much luck; None with too few deals.

        The test is Student's t, one-sided.
        """
        deals = len({deal for deal, _ in self.tables})
        mean, error = self.beyond.mean, self.beyond.standard_error
        if deals < FEWEST_DEALS or mean is None or error is None:
            return None
        if not any(luck for _, luck in self.tables):
            return 1.0  # no decision allowed any luck
        tail = two_sided_p(mean / error, deals - 1) / 2
        return tail if mean > 0 else 1 - tail


def together(parts: Sequence[Evidence]) -> Evidence:
    """Return the luck of several kinds at the same tables as one.

    The kinds may have different units. Each is divided by its expected standard deviation, so all
    have the same weight. A kind without luck is left out.
    """
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
