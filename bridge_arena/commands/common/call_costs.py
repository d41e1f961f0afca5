"""The costs of the calls of an event, computed and kept in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.oracle.errors import SolverError
from bridge_arena.recorded.analysis.analysis_files import ANSWERS
from bridge_arena.recorded.analysis.answers import Answers, AnswersError, costs_in
from bridge_arena.recorded.analysis.solvers import LocalSolvers, answer_all
from bridge_arena.recorded.calls.question import call_units
from bridge_arena.reports.common.costs import CostsOf
from bridge_arena.tournaments import EventResults


def call_costs(results: EventResults, folder: Path) -> CostsOf:
    """Compute the costs of calls that the folder does not have yet, with all processors.

    Each is kept in the folder at once. Raises UnusableError.
    """
    specs = {entrant.name: entrant.bot for entrant in results.event.entries}
    records = [played.record for played in results.played if played.record.is_finished]
    try:
        with closing(Answers(folder / ANSWERS)) as answers:
            _find(records, specs, answers)
            costs = {
                id(record): costs_in(answers.outcomes(units), units)
                for record in records
                for units in (call_units(record, specs),)
            }
    except (AnswersError, SolverError) as error:
        raise UnusableError(str(error)) from None
    return lambda record: costs.get(id(record), ())


def _find(records: Sequence[BoardRecord], specs: Mapping[str, str], answers: Answers) -> None:
    answers.begin()
    for record in records:
        answers.want(call_units(record, specs))
    every, done = answers.count()
    if done == every:
        return
    with LocalSolvers() as solvers, LongWork() as work:
        finding = work.begin("costs of calls", every, "calls", done)
        answer_all(answers, solvers, finding.advance)
