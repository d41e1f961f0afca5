"""How fast and how reliable an entry was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bridge_arena.bridge.record import FORFEITING, Fault, FaultKind
from bridge_arena.bridge.seats import SEATS
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.reports.common.values import Hidden
from bridge_arena.tournaments.statistics.means import Mean, percentile


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds. `actions`: timed. `mean_ms`, `p99_ms`: per action. `tables`: with timed
    actions of the entry; `table_ms`: the mean, over them, of all its actions there. None where
    nothing was timed."""

    actions: int
    mean_ms: float | None
    p99_ms: float | None
    tables: int
    table_ms: float | None


@dataclass(frozen=True, slots=True)
class Conduct:
    """Faults, counted at every table. `lost_players`: processes or connections that ended,
    hung or refused. `lost_boards`: that its side could not finish, and were adjusted.
    `faults`: every kind by itself. `first`: of all but what was taken back, None where there is
    none."""

    timeouts: int
    illegal_actions: int
    malformed: int
    lost_players: int
    lost_boards: int
    faults: Mapping[FaultKind, int]
    first: Hidden[Fault | None]


def timing(tables: Iterable[SeatedTable], name: str) -> Timing:
    """Of the tables at which an entry sat."""
    actions: list[float] = []
    at_tables: list[float] = []
    for table in tables:
        own = [
            each
            for whose, times in zip(table.names, table.record.times, strict=False)
            if whose == name
            for each in times
        ]
        if own:
            actions += own
            at_tables.append(sum(own))
    return Timing(
        len(actions),
        Mean.of(actions).mean,
        percentile(actions, 99),
        len(at_tables),
        Mean.of(at_tables).mean,
    )


def conduct(tables: Iterable[SeatedTable], name: str) -> Conduct:
    """Of the tables at which an entry sat. A board is lost by the players who were; where
    none is recorded, by all of their side."""
    faults: list[Fault] = []
    lost_boards = 0
    for table in tables:
        record, names = table.record, table.names
        faults += (fault for fault in record.faults if names[fault.seat] == name)
        guilty = {
            names[fault.seat]
            for fault in record.faults
            if fault.kind in FORFEITING and fault.seat.side == record.adjusted
        }
        side = {names[seat] for seat in SEATS if seat.side == record.adjusted}
        lost_boards += name in (guilty or side)
    kinds = [fault.kind for fault in faults]
    return Conduct(
        timeouts=kinds.count(FaultKind.TIMEOUT),
        illegal_actions=kinds.count(FaultKind.ILLEGAL),
        malformed=kinds.count(FaultKind.MALFORMED),
        lost_players=sum(kind in FORFEITING for kind in kinds),
        lost_boards=lost_boards,
        faults={kind: kinds.count(kind) for kind in FaultKind},
        first=next((fault for fault in faults if fault.kind is not FaultKind.UNDO), None),
    )
