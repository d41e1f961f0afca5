"""Has what is missing in a folder of solved deals solved, here or by a cluster.

No deal is left out, however long it takes, for those that take long are not like the others:
the solvers are to have no deadline.
"""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.oracle.errors import OracleError
from bridge_arena.recorded.analysis.engine import Solvers, answered
from bridge_arena.recorded.analysis.units import table_in, table_unit
from bridge_arena.recorded.solving.shards import Shards


class UnsolvedError(Exception):
    """The solver failed: one line says with which deal."""


def solve_missing(
    shards: Shards, deals: int, solvers: Solvers, on_tables: Callable[[int], None]
) -> None:
    """Solve what the deals 1 to `deals` need. `on_tables` is told how many more tables are done,
    each time. What is solved is kept whatever ends it.

    Raises UnsolvedError, OSError, and what `submit` of the solvers raises.
    """
    units = (((place, deal), table_unit(deal)) for place, deal in shards.missing(deals))
    try:
        for answers in answered(units, solvers):
            for (place, deal), answer in answers:
                try:
                    table = table_in(answer.result())
                except OracleError as error:
                    raise UnsolvedError(f"{deal} could not be solved: {error}") from None
                shards.add(place, deal, table)
            on_tables(len(answers))
    finally:
        shards.save()
