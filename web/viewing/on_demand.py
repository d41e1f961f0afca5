"""Double-dummy figures of boards, kept in memory, and the costs of calls, kept in a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.errors import ClosedError
from bridge_arena.oracle.par import Par
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.analysis.analysis_files import ANSWERS
from bridge_arena.recorded.analysis.answers import Answers, AnswersError
from bridge_arena.recorded.analysis.solvers import LocalSolvers, SharedSolvers, find_costs
from bridge_arena.recorded.calls.question import call_units
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.tournaments import Played
from bridge_arena.tournaments.play.board_values import has_ledger, values_of


@dataclass(slots=True)
class RecordCosts:
    """The calls of a table whose costs were asked for."""

    # The costs, or their estimates; None for those that are not known yet, or cannot be.
    costs: list[CallCost | None]
    done: int = 0  # the number of calls whose cost is no estimate
    # The task that computes the costs.
    finding: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def is_over(self) -> bool:
        """Whether no more costs will be found."""
        return self.finding is None or self.finding.done()


class CallCosts:
    """A context that computes the costs of calls, by the bots behind players' names.

    The folder with `answers.sqlite`, which may not exist yet, is also that of `arena analyse` and
    `arena report --calls`.
    """

    def __init__(self, folder: Path, specs: Mapping[str, str]) -> None:
        self._folder = folder
        self._specs = specs
        self._costs_of: dict[BoardRecord, RecordCosts] = {}
        # Opened on demand, as most readers look only at cards.
        self._answers: Answers | None = None
        # Two tables of a board begin with the same calls.
        self._solvers = SharedSolvers(LocalSolvers())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._solvers.__exit__(*error)
        if self._answers is not None:
            self._answers.close()

    def of(self, record: BoardRecord) -> RecordCosts:
        """Return what is known of a table's calls, and begin to compute it the first time.

        Raises AnswersError if the file of answers cannot be used, and OSError.
        """
        if record not in self._costs_of:
            units = call_units(record, self._specs)
            costs = self._costs_of[record] = RecordCosts([None] * len(units))
            costs.finding = asyncio.create_task(self._find(units, costs, self._open()))
        return self._costs_of[record]

    def _open(self) -> Answers:
        if self._answers is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._answers = Answers(self._folder / ANSWERS)
        return self._answers

    async def _find(self, units: list[str], costs: RecordCosts, answers: Answers) -> None:
        known: set[int] = set()

        def on_cost(place: int, cost: CallCost | None) -> None:
            costs.costs[place] = cost
            known.add(place)
            costs.done = len(known)

        with suppress(AnswersError, ClosedError):
            await find_costs(units, answers, self._solvers, on_cost, costs.costs.__setitem__)
        # The remaining costs stay unknown: an estimate would be taken for one.
        for place in set(range(len(units))) - known:
            costs.costs[place] = None


class Figures:
    """The double-dummy figures of boards.

    Every method raises DeadlineError, WorkerError and ClosedError.
    """

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._values: dict[BoardRecord, tuple[int, ...] | None] = {}

    async def of_board(self, board: Board) -> tuple[DoubleDummyTable, Par]:
        """Return the double-dummy table of a board, and its par."""
        (table,) = await self._oracle.tables([board.deal])
        return table, await self._oracle.par(board.deal, board.dealer, board.vulnerability)

    async def of_table(self, played: Played) -> Played:
        """Return a table with the values of its play, if it has any."""
        record = played.record
        if played.values is not None or not has_ledger(record):
            return played
        if record not in self._values:
            self._values[record] = await values_of(record, self._oracle)
        return Played(record, self._values[record])
