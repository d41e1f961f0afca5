"""The figures of an entry, the same in every report.

Every figure covers the tables at which the entry sat, except for IMPs: those need both rooms of a
board, and a board that only one room has finished has none. The observation behind a standard error
is the deal, whatever a figure is a mean of: the results of a deal at several tables, in several
matches or events, belong together. Tables without double-dummy values are left out of the figures
that need them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

from bridge_arena.base.wording import plural
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import FORFEITING, Fault, FaultKind, Mode
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.explanations import ExplanationFigures, explanation_figures
from bridge_arena.reports.common.model_use import ModelFigures, model_figures
from bridge_arena.reports.common.tables import SeatedTable, TeamMatch
from bridge_arena.reports.common.values import ByRole, Hidden
from bridge_arena.tournaments import HOME
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean, percentile


@dataclass(frozen=True, slots=True)
class MeanByLevel(Mean):
    """A mean over tables."""

    by_level: Mapping[int, Mean]  # the same for contracts of each level, 1 to 7


@dataclass(frozen=True, slots=True)
class TricksVsDd:
    """Tricks taken less double-dummy tricks, by table."""

    declarer: MeanByLevel  # as declarer's side
    defence: MeanByLevel  # as the defenders, who gain what declarer loses


@dataclass(frozen=True, slots=True)
class ImpsByPart:
    """The sources of the IMPs per board, all seen from the entry.

    They add up: all = auction + the own parts + the opponents' parts.
    """

    all: Mean
    auction: Mean
    own: ByRole[Mean]  # the cost of the entry's own errors, by role; zero or less
    opponents: ByRole[Mean]  # the gain from the opponents' errors, by role

    @property
    def net_play(self) -> float:
        """What came from the play of both sides."""
        return (self.all.total or 0.0) - (self.auction.total or 0.0)


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """The figures of the two-room boards whose swing could be split."""

    boards: int
    imps_per_board: ImpsByPart
    # Double-dummy tricks lost in both rooms of a board, by role.
    tricks_lost_per_board: ByRole[Mean]


def tricks_vs_dd(tables: Iterable[SeatedTable], name: str) -> TricksVsDd:
    """Return the figures of the tables at which an entry sat; bidding alone has no tricks."""
    as_declarer: list[tuple[int, Deal, float]] = []
    as_defender: list[tuple[int, Deal, float]] = []
    for table in tables:
        record, ledger = table.record, table.ledger
        contract, tricks = record.contract, record.tricks
        if contract is None or tricks is None or ledger is None or record.mode is Mode.BIDDING:
            continue
        names, declarer, more = table.names, contract.declarer, tricks - ledger.dd_tricks
        if names[declarer] == name:
            as_declarer.append((contract.level, table.board.deal, more))
        if name in (names[declarer.next], names[declarer.previous]):
            as_defender.append((contract.level, table.board.deal, -more))
    return TricksVsDd(_by_level(as_declarer), _by_level(as_defender))


def _by_level(tables: Sequence[tuple[int, Deal, float]]) -> MeanByLevel:
    every = clustered_mean((deal, gained) for _, deal, gained in tables)
    by_level = {
        level: clustered_mean((deal, gained) for at, deal, gained in tables if at == level)
        for level in range(1, 8)
    }
    return MeanByLevel(every.n, every.mean, every.standard_error, by_level)


def ledger_figures(matches: Iterable[TeamMatch], name: str) -> LedgerFigures:
    """Return the figures of the matches that an entry played, without adjusted boards."""
    boards = [
        (board, split, team, 1 if team == HOME else -1)
        for match in matches
        for team in match.teams(name)
        for board in match.boards
        if (split := board.split) is not None
    ]

    def mean(worth: Iterable[float]) -> Mean:
        return clustered_mean(zip((board.board.deal for board, *_ in boards), worth, strict=True))

    return LedgerFigures(
        boards=len(boards),
        imps_per_board=ImpsByPart(
            all=mean(sign * (board.imps or 0) for board, _, _, sign in boards),
            auction=mean(sign * split.auction for _, split, _, sign in boards),
            own={
                role: mean(sign * split.of(team)[role] for _, split, team, sign in boards)
                for role in Role
            },
            opponents={
                role: mean(sign * split.of(1 - team)[role] for _, split, team, sign in boards)
                for role in Role
            },
        ),
        tricks_lost_per_board={
            role: mean(board.lost(team, role) for board, _, team, _ in boards) for role in Role
        },
    )


@dataclass(frozen=True, slots=True)
class Timing:
    actions: int
    mean_ms: float | None  # milliseconds per action; None without timed actions
    # The 99th percentile of milliseconds per action; None without timed actions.
    p99_ms: float | None
    tables: int
    # The mean over tables of the milliseconds of all its actions there; None without timed actions.
    table_ms: float | None


@dataclass(frozen=True, slots=True)
class Conduct:
    """The faults of an entry, counted at every table."""

    timeouts: int  # actions that were out of time
    illegal_actions: int
    malformed: int
    lost_players: int  # processes or connections that ended, hung or refused
    lost_boards: int  # boards that its side could not finish, and that were adjusted
    faults: Mapping[FaultKind, int]
    first: Hidden[Fault | None]  # the first fault other than an undo; None if there is none


def timing(tables: Iterable[SeatedTable], name: str) -> Timing:
    """Return the times of an entry at the tables where it sat."""
    by_table = [
        [
            milliseconds
            for whose, times in zip(table.names, table.record.times, strict=False)
            if whose == name
            for milliseconds in times
        ]
        for table in tables
    ]
    actions = list(chain.from_iterable(by_table))
    at_tables = [sum(own) for own in by_table if own]
    return Timing(
        len(actions),
        Mean.of(actions).mean,
        percentile(actions, 99),
        len(at_tables),
        Mean.of(at_tables).mean,
    )


def conduct(tables: Iterable[SeatedTable], name: str) -> Conduct:
    """Return the faults of an entry at the tables where it sat.

    A board is lost by the players with a forfeiting fault, or else by their whole side.
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


@dataclass(frozen=True, slots=True)
class EntryFigures:
    name: str
    imps_per_board: Mean  # the mean over boards in two rooms that count
    adjusted_boards: int  # the number of these boards that were adjusted, whoever was at fault
    tricks_vs_dd: TricksVsDd
    ledger: LedgerFigures
    explanations: ExplanationFigures  # what its calls promised
    timing: Timing
    conduct: Conduct
    model: ModelFigures | None  # what it asked of a language model; None if it asked none

    @property
    def faults_text(self) -> str:
        """A sentence on its refused and missing actions; "" if there are none."""
        conduct = self.conduct
        refused = conduct.illegal_actions + conduct.malformed
        if conduct.first is None or not refused + conduct.timeouts:
            return ""
        return (
            f"{self.name}: {plural(refused, 'illegal or malformed action')}, "
            f"{plural(conduct.timeouts, 'time-out')}; the first: {conduct.first.detail}."
        )

    @classmethod
    def of(
        cls, name: str, tables: Iterable[SeatedTable], matches: Iterable[TeamMatch], /, **more: Any
    ) -> Self:
        """Return the figures of an entry; `more` are those that only a subclass has."""
        sat = [table for table in tables if name in table.names]
        met = [match for match in matches if name in match.names]
        return cls(
            name=name,
            imps_per_board=clustered_mean(
                (deal, imps if team == HOME else -imps)
                for match in met
                for team in match.teams(name)
                for deal, imps in match.swings
            ),
            adjusted_boards=sum(board.adjusted for match in met for board in match.boards),
            tricks_vs_dd=tricks_vs_dd(sat, name),
            ledger=ledger_figures(met, name),
            explanations=explanation_figures(
                (table.record, [seat for seat in SEATS if table.names[seat] == name])
                for table in sat
            ),
            timing=timing(sat, name),
            conduct=conduct(sat, name),
            model=model_figures(sat, name),
            **more,
        )
