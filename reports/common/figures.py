"""The figures of an entry, the same in every report.

Every figure covers the tables at which the entry sat, except for IMPs: those need both rooms of a
board, and a board that only one room has finished has none. The observation behind a standard error
is the deal, whatever a figure is a mean of: the results of a deal at several tables, in several
matches or events, belong together (`tournaments.statistics.clustered`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bridge_arena.bridge.seats import SEATS
from bridge_arena.reports.common.conduct import Conduct, Timing, conduct, timing
from bridge_arena.reports.common.explanations import ExplanationFigures, explanation_figures
from bridge_arena.reports.common.model_use import ModelFigures, model_figures
from bridge_arena.reports.common.play import LedgerFigures, TricksVsDd, ledger_figures, tricks_vs_dd
from bridge_arena.reports.common.tables import SeatedTable, TeamMatch
from bridge_arena.tournaments.schedule.units import HOME
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean


@dataclass(frozen=True, slots=True)
class EntryFigures:
    """The figures of an entry.

    Attributes:
        name: The entry's name.
        imps_per_board: The mean over boards in two rooms that count.
        adjusted_boards: The number of these boards that were adjusted, whoever was at fault.
        tricks_vs_dd: Tricks taken less double-dummy tricks.
        ledger: The sources of its IMPs.
        explanations: What its calls promised.
        timing: The times of its actions.
        conduct: Its faults.
        model: What it asked of a language model; None if it asked none.
    """

    name: str
    imps_per_board: Mean
    adjusted_boards: int
    tricks_vs_dd: TricksVsDd
    ledger: LedgerFigures
    explanations: ExplanationFigures
    timing: Timing
    conduct: Conduct
    model: ModelFigures | None

    @classmethod
    def of(
        cls, name: str, tables: Iterable[SeatedTable], matches: Iterable[TeamMatch]
    ) -> EntryFigures:
        """Return the figures of one entry.

        Args:
            name: The entry's name.
            tables: Tables, at some of which it sat.
            matches: Two-room matches, of which it played some.

        Returns:
            The figures.
        """
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
        )
