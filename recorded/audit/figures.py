"""The figures of an audit: each entry's luck, and the test whether it is more than chance.

Honest players are allowed some luck, because of the audit's own errors: the layouts do not reflect
everything that an auction or a play tells, so bots that are known to be honest have a mean luck
that is not exactly zero. `benchmarks/audit.py` measures it, and writes `allowance.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import resources
from math import fsum, hypot, sqrt
from typing import Any

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision
from bridge_arena.recorded.audit.judge import Finding
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean
from bridge_arena.tournaments.statistics.significance import holm, two_sided_p

FEWEST_DEALS = 8
"""The deals below which no p-value is given: a standard error of so few says too little."""

MOST_SHOWN = 5
"""The decisions that are shown of each entry and kind."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """The luck of honest bots."""

    mean: float  # their mean luck a board
    # The standard deviation of the mean luck of one honest bot from it, with the error of the mean
    # included.
    deviation: float


@lru_cache(maxsize=1)
def shipped() -> Mapping[Kind, Allowance]:
    kinds = _measured()["kinds"]
    return {kind: Allowance(kinds[kind]["mean"], kinds[kind]["deviation"]) for kind in Kind}


@lru_cache(maxsize=1)
def measured_bots() -> int:
    """Return how many honest bots the allowances were measured with."""
    return len({bot for match in _measured()["matches"] for bot in match.split(" - ")})


def _measured() -> Any:
    file = resources.files("bridge_arena.recorded.audit") / "allowance.json"
    return json.loads(file.read_text(encoding="utf-8"))


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


@dataclass(frozen=True, slots=True)
class Judged:
    entry: str  # the name of the entry that decided
    decision: Decision
    finding: Finding

    @property
    def record(self) -> BoardRecord:
        return self.decision.record


@dataclass(frozen=True, slots=True)
class Foresight:
    """The foresight of an entry in one kind of decisions."""

    kind: Kind
    decisions: int  # the number of decisions in which something was at stake
    evidence: Evidence  # the luck at its tables
    # The p-value, corrected for all tests of the audit; None if there are too few deals.
    p_value: float | None
    luckiest: tuple[Judged, ...]  # the decisions with the most luck, which tell the most


@dataclass(frozen=True, slots=True)
class EntryFigures:
    name: str
    tables: int  # the number of tables at which it sat
    deals: int  # the number of different deals that it played
    kinds: tuple[Foresight, ...]  # its foresight in each kind of decisions
    # The p-value of all kinds together, corrected in the same way; None if there is only one kind,
    # or too few deals.
    together: float | None

    @property
    def p_value(self) -> float | None:
        p_values = [*(foresight.p_value for foresight in self.kinds), self.together]
        return min((p_value for p_value in p_values if p_value is not None), default=None)


@dataclass(frozen=True, slots=True)
class AuditFigures:
    entries: tuple[EntryFigures, ...]  # the entries, the most suspicious first
    layouts: int  # the number of layouts for each decision
    unsolved: int  # the number of decisions that the solver did not finish within its deadline


def audit_figures(
    tables: Sequence[SeatedTable],
    judged: Iterable[Judged],
    kinds: Sequence[Kind],
    allowances: Mapping[Kind, Allowance],
    layouts: int,
    unsolved: int,
) -> AuditFigures:
    """Return the figures: the luck of each entry, added up over the tables at which it sat."""
    sat: dict[str, list[BoardRecord]] = {}
    for table in tables:
        for name in dict.fromkeys(table.names):
            sat.setdefault(name, []).append(table.record)
    of_kind: dict[tuple[str, Kind], list[Judged]] = {
        (name, kind): [] for name in sat for kind in kinds
    }
    for decided in judged:
        of_kind[decided.entry, decided.decision.kind].append(decided)
    alone: list[EntryFigures] = []
    for name, records in sat.items():
        own = [_foresight(kind, records, of_kind[name, kind], allowances[kind]) for kind in kinds]
        in_all = None
        if len(kinds) > 1:
            in_all = together([foresight.evidence for foresight in own]).p_value
        deals = len({record.board.deal for record in records})
        alone.append(EntryFigures(name, len(records), deals, tuple(own), in_all))
    entries = sorted(
        _corrected(alone),
        key=lambda entry: (1.0 if entry.p_value is None else entry.p_value, entry.name),
    )
    return AuditFigures(tuple(entries), layouts, unsolved)


def _foresight(
    kind: Kind, records: Sequence[BoardRecord], judged: Sequence[Judged], allowed: Allowance
) -> Foresight:
    """Return the foresight in one kind, with the p-value of this test alone."""
    luck = {id(record): 0.0 for record in records}
    for decided in judged:
        luck[id(decided.record)] += decided.finding.luck
    evidence = Evidence(
        tuple((record.board.deal, luck[id(record)]) for record in records),
        sum(decided.finding.variance for decided in judged) / len(records),
        allowed,
    )
    luckiest = sorted(judged, key=lambda decided: -decided.finding.luck)[:MOST_SHOWN]
    return Foresight(kind, len(judged), evidence, evidence.p_value, tuple(luckiest))


def _corrected(entries: Sequence[EntryFigures]) -> Iterator[EntryFigures]:
    """Yield the entries with p-values corrected for all tests."""
    alone = [
        p_value
        for entry in entries
        for p_value in (*(foresight.p_value for foresight in entry.kinds), entry.together)
        if p_value is not None
    ]
    corrected = iter(holm(alone))
    for entry in entries:
        kinds = tuple(
            foresight if foresight.p_value is None else replace(foresight, p_value=next(corrected))
            for foresight in entry.kinds
        )
        in_all = None if entry.together is None else next(corrected)
        yield replace(entry, kinds=kinds, together=in_all)
