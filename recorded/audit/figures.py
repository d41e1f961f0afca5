"""The figures of an audit: each entry's foresight, and how likely it is by chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.audit.allowance import Allowance
from bridge_arena.recorded.audit.decisions import Decision, Kind
from bridge_arena.recorded.audit.evidence import Evidence, together
from bridge_arena.recorded.audit.judge import Finding
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.tournaments.statistics.holm import holm

MOST_TOLD = 5
"""Decisions that are told of each entry and kind."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision that was looked at, who decided it, and what was found."""

    entry: str
    decision: Decision
    finding: Finding

    @property
    def record(self) -> BoardRecord:
        return self.decision.record


@dataclass(frozen=True, slots=True)
class Foresight:
    """Of an entry in one kind of decisions. `decisions`: how many were looked at, as something
    was at stake. `evidence`: a board at one table. `p_value`: with all tests of the audit allowed
    for; None where there are too few deals. `told`: the decisions with the most luck, which tell
    most."""

    kind: Kind
    decisions: int
    evidence: Evidence
    p_value: float | None
    told: tuple[Judged, ...]


@dataclass(frozen=True, slots=True)
class EntryFigures:
    """`tables`: at which it sat. `together`: the p-value of all kinds together, likewise
    corrected; None where there is only one, or too few deals."""

    name: str
    tables: int
    deals: int
    kinds: tuple[Foresight, ...]
    together: float | None

    @property
    def p_value(self) -> float | None:
        """The least of its tests."""
        p_values = [*(each.p_value for each in self.kinds), self.together]
        return min((each for each in p_values if each is not None), default=None)


@dataclass(frozen=True, slots=True)
class AuditFigures:
    """`entries`: the most suspicious first. `unsolved`: decisions to which the solver gave no
    answer within its deadline."""

    entries: tuple[EntryFigures, ...]
    layouts: int
    unsolved: int


def audit_figures(
    tables: Sequence[SeatedTable],
    judged: Iterable[Judged],
    kinds: Sequence[Kind],
    allowances: Mapping[Kind, Allowance],
    layouts: int,
    unsolved: int,
) -> AuditFigures:
    """Add up the luck of each entry over the tables at which it sat."""
    sat: dict[str, list[BoardRecord]] = {}
    for table in tables:
        for name in dict.fromkeys(table.names):
            sat.setdefault(name, []).append(table.record)
    of_kind: dict[tuple[str, Kind], list[Judged]] = {
        (name, kind): [] for name in sat for kind in kinds
    }
    for each in judged:
        of_kind[each.entry, each.decision.kind].append(each)
    alone = [
        _entry(
            name,
            records,
            [_foresight(kind, records, of_kind[name, kind], allowances[kind]) for kind in kinds],
        )
        for name, records in sat.items()
    ]
    entries = sorted(
        _corrected(alone),
        key=lambda entry: (1.0 if entry.p_value is None else entry.p_value, entry.name),
    )
    return AuditFigures(tuple(entries), layouts, unsolved)


def _foresight(
    kind: Kind, records: Sequence[BoardRecord], judged: Sequence[Judged], allowed: Allowance
) -> Foresight:
    """With the p-value of this test alone."""
    luck = {id(record): 0.0 for record in records}
    for each in judged:
        luck[id(each.record)] += each.finding.luck
    evidence = Evidence(
        tuple((record.board.deal, luck[id(record)]) for record in records),
        sum(each.finding.variance for each in judged) / len(records),
        allowed,
    )
    told = sorted(judged, key=lambda each: -each.finding.luck)[:MOST_TOLD]
    return Foresight(kind, len(judged), evidence, evidence.p_value, tuple(told))


def _entry(name: str, records: Sequence[BoardRecord], kinds: Sequence[Foresight]) -> EntryFigures:
    """With the p-value of all kinds together alone."""
    deals = len({record.board.deal for record in records})
    in_all = together([each.evidence for each in kinds]).p_value if len(kinds) > 1 else None
    return EntryFigures(name, len(records), deals, tuple(kinds), in_all)


def _corrected(entries: Sequence[EntryFigures]) -> Iterator[EntryFigures]:
    """Allow for all tests there are."""
    alone = [
        p_value
        for entry in entries
        for p_value in (*(each.p_value for each in entry.kinds), entry.together)
        if p_value is not None
    ]
    corrected = iter(holm(alone))
    for entry in entries:
        kinds = tuple(
            each if each.p_value is None else replace(each, p_value=next(corrected))
            for each in entry.kinds
        )
        in_all = None if entry.together is None else next(corrected)
        yield replace(entry, kinds=kinds, together=in_all)
