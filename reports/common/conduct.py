"""The speed and the reliability of an entry."""

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
    """The times of an entry's actions.

    Attributes:
        actions: The number of actions that were timed.
        mean_ms: Milliseconds per action; None without timed actions.
        p99_ms: The 99th percentile of milliseconds per action; None without timed actions.
        tables: The number of tables with timed actions of the entry.
        table_ms: The mean over tables of the milliseconds of all its actions there; None without
            timed actions.
    """

    actions: int
    mean_ms: float | None
    p99_ms: float | None
    tables: int
    table_ms: float | None


@dataclass(frozen=True, slots=True)
class Conduct:
    """The faults of an entry, counted at every table.

    Attributes:
        timeouts: Actions that were out of time.
        illegal_actions: Illegal actions.
        malformed: Malformed messages.
        lost_players: Processes or connections that ended, hung or refused.
        lost_boards: Boards that its side could not finish, and that were adjusted.
        faults: The number of faults of every kind.
        first: The first fault other than an undo; None if there is none.
    """

    timeouts: int
    illegal_actions: int
    malformed: int
    lost_players: int
    lost_boards: int
    faults: Mapping[FaultKind, int]
    first: Hidden[Fault | None]


def timing(tables: Iterable[SeatedTable], name: str) -> Timing:
    """Return the times of an entry at the tables where it sat."""
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
    """Return the faults of an entry at the tables where it sat.

    A board is lost by the players with a forfeiting fault; if none is recorded, by their whole
    side.

    Args:
        tables: The tables.
        name: The entry's name.

    Returns:
        The faults.
    """
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
