"""The figures of an entry, the same in every report.

Every figure covers the tables at which the entry sat, except for IMPs: those need both rooms of a
board, and a board that only one room has finished has none. The observation behind a standard error
is the deal, whatever a figure is a mean of: the results of a deal at several tables, in several
matches or events, belong together. Tables without double-dummy values are left out of the figures
that need them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import FORFEITING, Fault, FaultKind
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.explanations import ExplanationFigures, explanation_figures
from bridge_arena.reports.common.model_use import ModelFigures, model_figures
from bridge_arena.reports.common.sums import Numbers, Sums
from bridge_arena.reports.common.tallies import FAULT_KINDS, NO_TRICKS, NONE
from bridge_arena.reports.common.values import Hidden
from bridge_arena.tournaments import HOME, ByRole
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean_of, percentile


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


def tricks_vs_dd(sums: Sums, entry: int) -> TricksVsDd:
    """Return the figures of the tables at which an entry sat; bidding alone has no tricks."""
    (rows,) = np.nonzero(sums.tallies.tables["gained"] != NO_TRICKS)
    played, seats = sums.tallies.tables[rows], sums.seats[rows]
    more = played["gained"].astype(np.int64)

    def mean(places: Sequence[int], gained: Numbers) -> MeanByLevel:
        """Return the figures of the tables where the entry sits at such places after declarer."""
        from_declarer = (played["declarer"][:, None] + np.array(places)) % len(SEATS)
        own = (np.take_along_axis(seats, from_declarer, axis=1) == entry).any(axis=1)
        deals, levels, gained = sums.deals[rows][own], played["level"][own], gained[own]
        every = clustered_mean_of(deals, gained)
        by_level = {
            level: clustered_mean_of(deals[levels == level], gained[levels == level])
            for level in range(1, 8)
        }
        return MeanByLevel(every.n, every.mean, every.standard_error, by_level)

    return TricksVsDd(mean((0,), more), mean((1, 3), -more))


def ledger_figures(sums: Sums, entry: int) -> LedgerFigures:
    """Return the figures of the matches that an entry played, without adjusted boards."""
    boards = sums.split
    # An entry is one of the two teams.
    rows, teams = np.nonzero(boards.teams == entry)
    deals, sign = boards.deals[rows], np.where(teams == HOME, 1, -1)

    def mean(worth: NDArray[np.number]) -> Mean:
        return clustered_mean_of(deals, worth)

    def by_role(of_teams: NDArray[np.number]) -> dict[Role, Mean]:
        return {role: mean(of_teams[:, place]) for place, role in enumerate(Role)}

    parts = sign[:, None, None] * boards.parts[rows]
    places = np.arange(len(rows))
    return LedgerFigures(
        boards=len(rows),
        imps_per_board=ImpsByPart(
            all=mean(sign * boards.imps[rows]),
            auction=mean(sign * boards.auction[rows]),
            own=by_role(parts[places, teams]),
            opponents=by_role(parts[places, 1 - teams]),
        ),
        tricks_lost_per_board=by_role(boards.lost[rows, teams]),
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


def timing(sums: Sums, entry: int) -> Timing:
    """Return the times of an entry at the tables where it sat."""
    of_table, times = sums.times_of(entry)
    actions = len(times)
    at_tables = np.bincount(of_table, times)[np.bincount(of_table) > 0]
    tables = len(at_tables)
    return Timing(
        actions,
        fsum(times.data) / actions if actions else None,
        percentile(times, 99),
        tables,
        fsum(at_tables.data) / tables if tables else None,
    )


def conduct(sums: Sums, entry: int) -> Conduct:
    """Return the faults of an entry at the tables where it sat.

    A board is lost by the players with a forfeiting fault, or else by their whole side.
    """
    faults, faulty = sums.tallies.faults, sums.faulty
    own = sums.seats[faulty, faults["seat"]] == entry
    kinds = np.bincount(faults["kind"][own], minlength=len(FAULT_KINDS)).tolist()
    count = dict(zip(FAULT_KINDS, kinds, strict=True))

    adjusted = sums.tallies.tables["adjusted"]
    forfeiting = np.array([kind in FORFEITING for kind in FAULT_KINDS])
    guilty = forfeiting[faults["kind"]] & (faults["seat"] % 2 == adjusted[faulty])
    has_guilty, is_guilty = (np.zeros(len(adjusted), np.bool_) for _ in range(2))
    has_guilty[faulty[guilty]] = True
    is_guilty[faulty[guilty & own]] = True
    sides = np.array([seat.side for seat in SEATS])
    is_of_side = ((sums.seats == entry) & (sides == adjusted[:, None])).any(axis=1)
    lost = np.where(has_guilty, is_guilty, is_of_side) & (adjusted != NONE)

    (counted,) = np.nonzero(own & (faults["kind"] != FAULT_KINDS.index(FaultKind.UNDO)))
    first = None
    if len(counted):
        row = faulty[counted[0]]
        at = counted[0] - np.searchsorted(faulty, row)
        first = sums.table(row).record.faults[at]
    return Conduct(
        timeouts=count[FaultKind.TIMEOUT],
        illegal_actions=count[FaultKind.ILLEGAL],
        malformed=count[FaultKind.MALFORMED],
        lost_players=sum(count[kind] for kind in FORFEITING),
        lost_boards=int(lost.sum()),
        faults=count,
        first=first,
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
    def of(cls, name: str, sums: Sums, /, **more: Any) -> Self:
        """Return the figures of an entry; `more` are those that only a subclass has."""
        entry, boards = sums.entry(name), sums.boards
        rows, teams = np.nonzero(boards["teams"] == entry)
        boards, sign = boards[rows], np.where(teams == HOME, 1, -1)
        return cls(
            name=name,
            imps_per_board=clustered_mean_of(boards["deal"], sign * boards["imps"]),
            adjusted_boards=int(boards["adjusted"].sum()),
            tricks_vs_dd=tricks_vs_dd(sums, entry),
            ledger=ledger_figures(sums, entry),
            explanations=explanation_figures(sums, entry),
            timing=timing(sums, entry),
            conduct=conduct(sums, entry),
            model=model_figures(sums, entry),
            **more,
        )
