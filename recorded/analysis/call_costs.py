"""The cost of a table's calls, from answers that are there or are found on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from bridge_arena.base.concurrency import first_error
from bridge_arena.oracle.errors import ClosedError, OracleError, PoolError
from bridge_arena.recorded.analysis.answers import Answers, AnswersError, Outcome
from bridge_arena.recorded.analysis.solvers import Solvers
from bridge_arena.reports.common.costs import CallCost


def costs_in(outcomes: Mapping[str, Outcome], units: Sequence[str]) -> tuple[CallCost | None, ...]:
    """Return the costs of the calls that `units` ask about; None where there is no answer."""
    tried = (outcomes.get(unit) for unit in units)
    return tuple(
        CallCost.parse(outcome.answer) if outcome and outcome.answer else None for outcome in tried
    )


async def find_costs(
    units: Sequence[str],
    answers: Answers,
    solvers: Solvers,
    on_cost: Callable[[int, CallCost | None], None],
) -> None:
    """Tell the cost of each call as soon as it is known.

    An answer is kept at once, so a cancelled search can be continued later.

    Args:
        units: The questions about the calls.
        on_cost: Called with the place of a call among `units` and its cost, or None if it cannot be
            found.

    Raises:
        AnswersError: The file of answers cannot be used.
        ClosedError: The workers were closed.
    """
    known = answers.outcomes(units)

    async def find(place: int, unit: str) -> None:
        outcome = known.get(unit) or await _answer(unit, answers, solvers)
        (cost,) = costs_in({unit: outcome}, [unit])
        on_cost(place, cost)

    with first_error(AnswersError, ClosedError):
        async with asyncio.TaskGroup() as group:
            for place, unit in enumerate(units):
                group.create_task(find(place, unit))


async def _answer(unit: str, answers: Answers, solvers: Solvers) -> Outcome:
    """Return a worker's outcome, which is kept unless another try may succeed."""
    try:
        outcome = Outcome(await asyncio.wrap_future(solvers.submit(unit)))
    except ClosedError:
        raise
    except PoolError as error:
        return Outcome("", str(error))
    except OracleError as error:
        outcome = Outcome("", str(error))
    answers.save([(unit, outcome)])
    return outcome
