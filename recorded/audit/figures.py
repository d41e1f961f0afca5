"""The figures of an audit: each entry's foresight, and how likely it is by chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision
from bridge_arena.recorded.audit.evidence import Allowance, Evidence, together
from bridge_arena.recorded.audit.judge import Finding
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.tournaments.statistics.significance import holm

MOST_SHOWN = 5
"""The decisions that are shown of each entry and kind."""


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
        in_all = together([each.evidence for each in own]).p_value if len(kinds) > 1 else None
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
